#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The peers of the sentence encoder: the same model on the same texts, on as many threads as there are cores.

usage: encoder_peers.py torch MODEL TEXTS VECTORS         sentence-transformers on PyTorch, its own encode()
       encoder_peers.py onnxruntime MODEL TEXTS VECTORS   ONNX Runtime on a graph made here from the weights
       encoder_peers.py cosines VECTORS VECTORS           the smallest cosine of two sets of vectors

MODEL is a folder of all-MiniLM-L6-v2 or another BERT with mean pooling; TEXTS has a JSON object a line,
with "prompt" or "text"; VECTORS is a .npy. A peer prints seconds (tokenisation and all), tokens (those of
padding not counted), tokens a second, and seconds and tokens a second of the forward passes alone: the
best of 3 runs after a warm-up. Both sort by length and take batches of 32."""
import json
import os
import sys
import time

import numpy as np

RUNS, BATCH, WARM_UP = 3, 32, 160
N_THREADS = len(os.sched_getaffinity(0))
OPSET = 20  # the first with Gelu


def main():
    peer, *rest = sys.argv[1:]
    if peer == "cosines":
        print("%.7f" % smallest_cosine(*(np.load(path) for path in rest)))
        return
    folder, path, vectors = rest
    texts = read_texts(path)
    encode = {"torch": torch_encoder, "onnxruntime": onnxruntime_encoder}[peer](folder)
    encode(texts[:WARM_UP])
    seconds, forward, tokens, found = min((timed(encode, texts) for _ in range(RUNS)), key=lambda run: run[0])
    np.save(vectors, found)
    print("%.4f %d %.0f %.4f %.0f" % (seconds, tokens, tokens / seconds, forward, tokens / forward))


def read_texts(path):
    with open(path, encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    return [row["prompt"] if "prompt" in row else row["text"] for row in rows]


def timed(encode, texts):
    began = time.perf_counter()
    forward, tokens, vectors = encode(texts)
    return time.perf_counter() - began, forward, tokens, vectors


def smallest_cosine(a, b):
    a, b = a.astype(float), b.astype(float)
    return ((a * b).sum(1) / np.linalg.norm(a, axis=1) / np.linalg.norm(b, axis=1)).min()


# An encoder takes texts and gives (seconds of the forward passes, tokens, vectors).

# ---- PyTorch

def torch_encoder(folder):
    os.environ["HF_HUB_OFFLINE"] = "1"
    import torch
    from sentence_transformers import SentenceTransformer
    from transformers.utils import logging

    logging.disable_progress_bar()
    torch.set_num_threads(N_THREADS)
    model = SentenceTransformer(folder, device="cpu", local_files_only=True)
    forward, spent = model.forward, {}

    def timed_forward(features, **options):
        spent["tokens"] += int(features["attention_mask"].sum())
        began = time.perf_counter()
        out = forward(features, **options)
        spent["seconds"] += time.perf_counter() - began
        return out

    def encode(texts):
        spent.update(seconds=0, tokens=0)
        vectors = model.encode(texts, batch_size=BATCH, show_progress_bar=False)
        return spent["seconds"], spent["tokens"], vectors

    model.forward = timed_forward
    return encode


# ---- ONNX Runtime

def onnxruntime_encoder(folder):
    import onnxruntime
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(os.path.join(folder, "tokenizer.json"))
    tokenizer.enable_truncation(read_json(folder, "sentence_bert_config.json")["max_seq_length"])
    tokenizer.no_padding()
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = N_THREADS
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_ALL
    session = onnxruntime.InferenceSession(bert_graph(folder), options, providers=["CPUExecutionProvider"])

    def encode(texts):
        ids = [row.ids for row in tokenizer.encode_batch_fast(texts)]
        order = sorted(range(len(ids)), key=lambda i: -len(ids[i]))
        vectors = [None] * len(ids)
        began = time.perf_counter()
        for start in range(0, len(order), BATCH):
            batch = order[start : start + BATCH]
            for i, vector in zip(batch, session.run(None, padded([ids[i] for i in batch]))[0]):
                vectors[i] = vector
        return time.perf_counter() - began, sum(map(len, ids)), np.array(vectors)

    return encode


def read_json(folder, name):
    with open(os.path.join(folder, name), encoding="utf-8") as file:
        return json.load(file)


def padded(rows):
    ids = np.zeros((len(rows), max(map(len, rows))), np.int64)
    mask = np.zeros_like(ids)
    for i, row in enumerate(rows):
        ids[i, : len(row)] = row
        mask[i, : len(row)] = 1
    return {"ids": ids, "mask": mask}


class Graph:
    """Nodes in order; every one names its output."""

    def __init__(self):
        self.nodes, self.constants = [], []

    def constant(self, value):
        from onnx import numpy_helper
        name = "c%d" % len(self.constants)
        self.constants.append(numpy_helper.from_array(np.ascontiguousarray(value), name))
        return name

    def op(self, kind, *inputs, **attributes):
        from onnx import helper
        inputs = [x if isinstance(x, str) else self.constant(x) for x in inputs]
        name = "n%d" % len(self.nodes)
        self.nodes.append(helper.make_node(kind, inputs, [name], **attributes))
        return name


def bert_graph(folder):
    from onnx import TensorProto, helper
    from safetensors.numpy import load_file

    config = read_json(folder, "config.json")
    weights = {name.removeprefix("bert."): value.astype(np.float32) if value.dtype.kind == "f" else value
               for name, value in load_file(os.path.join(folder, "model.safetensors")).items()}
    graph = Graph()
    x = embeddings(graph, weights, config)
    bias = mask_bias(graph)
    for layer in range(config["num_hidden_layers"]):
        x = transformer(graph, weights, "encoder.layer.%d." % layer, config, x, bias)
    graph.op("Identity", mean_pooled(graph, x))
    graph.nodes[-1].output[0] = "vectors"
    inputs = [helper.make_tensor_value_info(name, TensorProto.INT64, ["batch", "length"]) for name in ("ids", "mask")]
    output = helper.make_tensor_value_info("vectors", TensorProto.FLOAT, ["batch", config["hidden_size"]])
    made = helper.make_graph(graph.nodes, "bert", inputs, [output], graph.constants)
    return helper.make_model(made, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=10).SerializeToString()


def embeddings(graph, weights, config):
    """All tokens are of the first type, so its row goes into that of the position."""
    places = weights["embeddings.position_embeddings.weight"] + weights["embeddings.token_type_embeddings.weight"][0]
    length = graph.op("Shape", "ids", start=1)
    place = graph.op("Slice", places, np.zeros(1, np.int64), length, np.zeros(1, np.int64))
    word = graph.op("Gather", weights["embeddings.word_embeddings.weight"], "ids")
    return normalised(graph, weights, "embeddings.", config, graph.op("Add", word, place))


def mask_bias(graph):
    """0 for a token, far below 0 for padding, as batch x 1 x 1 x length"""
    kept = graph.op("Cast", graph.op("Unsqueeze", "mask", np.array([1, 2])), to=1)
    return graph.op("Mul", graph.op("Sub", np.float32(1), kept), np.float32(-1e9))


def transformer(graph, weights, prefix, config, x, bias):
    attended = linear(graph, weights, prefix + "attention.output.", attention(graph, weights, prefix, config, x, bias))
    x = normalised(graph, weights, prefix + "attention.output.", config, graph.op("Add", attended, x))
    inner = graph.op("Gelu", linear(graph, weights, prefix + "intermediate.", x))
    outer = linear(graph, weights, prefix + "output.", inner)
    return normalised(graph, weights, prefix + "output.", config, graph.op("Add", outer, x))


def attention(graph, weights, prefix, config, x, bias):
    n_heads, hidden = config["num_attention_heads"], config["hidden_size"]
    size = hidden // n_heads
    split = np.array([0, 0, n_heads, size])

    def heads(what, order):
        full = linear(graph, weights, prefix + "attention.self.", x, what)
        return graph.op("Transpose", graph.op("Reshape", full, split), perm=order)

    query, key, value = heads("query", [0, 2, 1, 3]), heads("key", [0, 2, 3, 1]), heads("value", [0, 2, 1, 3])
    scores = graph.op("Mul", graph.op("MatMul", query, key), np.float32(size ** -0.5))
    shares = graph.op("Softmax", graph.op("Add", scores, bias), axis=-1)
    mixed = graph.op("Transpose", graph.op("MatMul", shares, value), perm=[0, 2, 1, 3])
    return graph.op("Reshape", mixed, np.array([0, 0, hidden]))


def linear(graph, weights, prefix, x, name="dense"):
    product = graph.op("MatMul", x, weights[prefix + name + ".weight"].T)
    return graph.op("Add", product, weights[prefix + name + ".bias"])


def normalised(graph, weights, prefix, config, x):
    scale, shift = (weights[prefix + "LayerNorm." + name] for name in ("weight", "bias"))
    return graph.op("LayerNormalization", x, scale, shift, axis=-1, epsilon=config["layer_norm_eps"])


def mean_pooled(graph, x):
    """Over the tokens, then to length 1, which makes dividing by their number superfluous."""
    kept = graph.op("Cast", graph.op("Unsqueeze", "mask", np.array([1])), to=1)
    total = graph.op("Squeeze", graph.op("MatMul", kept, x), np.array([1]))
    return graph.op("Div", total, graph.op("ReduceL2", total, np.array([1]), keepdims=1))


if __name__ == "__main__":
    main()

#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Sentence encoders from the command line, end to end and offline: a tiny BERT with random weights, and a
# server on this machine. Arguments: the binary, make_tiny_model, serve_stub.
set -u
binary=$1
make_model=$2
serve=$3
failed=0
work=$(mktemp -d)
cd "$work" || exit 1
export XDG_CACHE_HOME="$work/cache" HOME="$work/home" LC_ALL=C
unset ASSAY_API_KEY OPENAI_API_KEY HF_TOKEN HF_ENDPOINT
server=
trap 'exec 3>&-; [ -z "$server" ] || wait "$server"; rm -rf "$work"' EXIT

fail() {
    echo "FAILED: $*"
    failed=1
}

# runs STATUS ARGUMENT...: into the files out and err. A failure is one line, "assay: ...", that a terminal
# shows as it is, and says nothing on standard output.
runs() {
    want=$1
    shift
    "$binary" "$@" >out 2>err </dev/null
    got=$?
    [ $got = "$want" ] || fail "exit status $got, not $want: assay $*: $(cat err)"
    [ "$want" != 0 ] || return 0
    [ "$(wc -l <err)" = 1 ] && grep -q '^assay\( embed\| score\)\{0,1\}: ' err ||
        fail "not one line \"assay: ...\": assay $*: $(cat err)"
    ! tr -d '\n' <err | grep -q '[[:cntrl:]]' || fail "control characters: assay $*: $(cat -v err)"
    [ ! -s out ] || fail "words on standard output: assay $*"
}

# says FILE TEXT, says_not FILE TEXT
says() { grep -qF -e "$2" "$1" || fail "$1 does not say \"$2\": $(head -c 500 "$1")"; }
says_not() { ! grep -qF -e "$2" "$1" || fail "$1 says \"$2\""; }

same() { cmp -s "$1" "$2" || fail "$1 and $2 differ: $3"; }
other() { ! cmp -s "$1" "$2" || fail "$1 and $2 are equal: $3"; }
absent() { [ ! -e "$1" ] || fail "$1 is there: $2"; }
shape() { head -c 128 "$1" | grep -qF "'shape': ($2)" || fail "$1 is not of shape ($2)"; }

# is_json FILE KEY...
is_json() {
    command -v python3 >/dev/null || return 0
    python3 -c 'import json, sys
answer = json.load(open(sys.argv[1]))
sys.exit(", ".join(key for key in sys.argv[2:] if key not in answer) or None)' "$@" 2>lacks ||
        fail "$1: $(tail -n 1 lacks)"
}

short="--hyper off --tie-orders 0" # for what is not looked at here

# ---- inputs ----

"$make_model" tiny 1 && "$make_model" other 2 || exit 1

# 300 prompts of 1 to 7 words, and what three models made of the first 40.
awk 'BEGIN { split("the cat cats sat on mat . unable a ! i", word, " "); x = 7
    for (i = 1; i <= 300; i++) {
        text = ""
        x = (x * 16807) % 2147483647
        for (n = 1 + x % 7; n > 0; n--) { x = (x * 16807) % 2147483647; text = text " " word[1 + x % 11] }
        printf "{\"id\":\"p%d\",\"prompt\":\"%s\"}\n", i, substr(text, 2)
    } }' >prompts.jsonl
head -n 40 prompts.jsonl >few.jsonl
awk 'BEGIN { print "model,item,score"; x = 11
    for (i = 1; i <= 40; i++)
        for (m = 1; m <= 3; m++) { x = (x * 16807) % 2147483647; print "m" m ",p" i "," x % 2 } }' >results.csv
distinct=$(cut -d: -f3 prompts.jsonl | sort -u | wc -l)

# Three prompts of 21, 20 and 2 words, of which the first two begin alike and a model sees 14.
long="the cat sat on a mat . the cat sat on a mat . i sat on the mat"
printf '{"id":"x","prompt":"%s ! !"}\n{"id":"y","prompt":"%s ."}\n{"id":"z","prompt":"the cat"}\n' \
    "$long" "$long" >long.jsonl

# Of one, two and three turns.
sed 's/.*"prompt":\(.*\)}/\1/' prompts.jsonl | awk 'NR <= 80 { turn[NR] = $0 }
    END { for (i = 1; i <= 40; i++) {
        printf "{\"id\":\"p%d\",\"prompt\":[%s", i, turn[i]
        for (t = 1; t <= i % 3; t++) printf ",%s", turn[t * i + 1]
        print "]}"
    } }' >turns.jsonl

# ---- a model in a folder ----

runs 0 embed prompts.jsonl --model tiny -o first.npy
says out "300 prompts"
says out "0 of them embedded before"
says out "vectors: 300 x 32 in first.npy"
shape first.npy "300, 32"
[ "$(wc -l <first.ids.csv)" = 301 ] || fail "first.ids.csv has not a line a prompt"
says first.ids.csv "id,longer_than_the_model_takes"
says first.ids.csv "p300,0"
runs 0 embed prompts.jsonl --model tiny -o second.npy
grep -q ' \([0-9]*\) different inputs to the model, \1 of them embedded before$' out || fail "not all were embedded before: $(cat out)"
same first.npy second.npy "a second run"
same first.ids.csv second.ids.csv "a second run"
runs 0 embed prompts.jsonl --model other -o other.npy
says out "0 of them embedded before"
other first.npy other.npy "two models"

cp few.jsonl kept.jsonl
runs 2 embed few.jsonl --model tiny -o few.jsonl
runs 2 embed few.jsonl --model tiny -o one.npy --ids few.jsonl
same few.jsonl kept.jsonl "prompts after their name was given for an output"
printf '{"id":"x","prompt":"zyx wvu qqq"}\n{"id":"y","prompt":"the cat"}\n' >strange.jsonl
runs 0 embed strange.jsonl --model tiny -o strange.npy
says out "1 text is mostly of what the model does not know"

for threads in 1 2 5; do
    runs 0 embed prompts.jsonl --model tiny --no-store --threads $threads -o threads.npy
    says out "0 of them embedded before"
    same first.npy threads.npy "--threads $threads"
done
runs 0 embed few.jsonl --model tiny --no-store -q -o few.npy # whatever else is embedded
[ ! -s out ] && [ ! -s err ] || fail "-q says $(cat out err)"
head -c $((128 + 40 * 32 * 4)) first.npy | tail -c +129 >head
tail -c +129 few.npy >few
same head few "300 prompts and the first 40 of them"

runs 0 embed prompts.jsonl --model tiny -o - --ids ids.csv
cp out piped.npy
same first.npy piped.npy "-o -"
same first.ids.csv ids.csv "--ids"
says err "vectors: 300 x 32 in -"
runs 0 embed few.jsonl --model tiny -o - --json
same few.npy out "-o - --json"
is_json err schema output
runs 0 embed prompts.jsonl --model tiny -o plain
[ -e plain.ids.csv ] || fail "no plain.ids.csv beside plain"
"$binary" embed - --model tiny -q -o stdin.npy <few.jsonl || fail "from standard input: exit status $?"
same few.npy stdin.npy "standard input"
runs 0 embed few.jsonl --model tiny --cache elsewhere -o elsewhere.npy
says out "0 of them embedded before"
[ -d elsewhere/vectors ] || fail "--cache elsewhere has no vectors"

runs 0 embed prompts.jsonl --model tiny --json -o json.npy
is_json out schema assay_version command model kind server server_reason sha256 dimensions max_tokens prompts \
    most_turns distinct_inputs stored truncated tokens long prefix turns output ids
says out '"kind": "bert"'
says out '"max_tokens": 16'
says out '"truncated": 0'
says out '"schema": "assay.embed/1"'

printf 'key;words\n"a;""b";the cat\nc;a mat\n' >named.csv
runs 0 embed named.csv --id key --text words --model tiny -o named.npy
says named.ids.csv '"a;""b",0'

# ---- long texts, a prefix, turns ----

runs 0 embed long.jsonl --model tiny -o cut.npy
says out "3 prompts, 2 different inputs to the model"
says out "2 prompts are longer than the 16 tokens that the model takes, and cut"
says cut.ids.csv "x,1"
says cut.ids.csv "z,0"
for way in windows head-tail; do
    runs 0 embed long.jsonl --model tiny --long $way -o $way.npy
    says out "3 different inputs to the model, 1 of them embedded before"
    says out "2 prompts are longer than the 16 tokens that the model takes, and read"
    shape $way.npy "3, 32"
    other cut.npy $way.npy "cut and $way"
done
other windows.npy head-tail.npy "windows and head-tail"
runs 0 embed long.jsonl --model tiny --long windows --json -o windows.npy
says out '"truncated": 2'
says out '"long": "windows"'

sed 's/"prompt":"/"prompt":"a mat ! /' few.jsonl >prefixed.jsonl
runs 0 embed few.jsonl --model tiny --prefix "a mat ! " --json -o prefix.npy
says out '"prefix": "a mat ! "'
runs 0 embed prefixed.jsonl --model tiny -o prefixed.npy
same prefix.npy prefixed.npy "--prefix and a text that begins so"

for way in concat mean weighted last; do
    [ $way = concat ] && columns=96 || columns=32
    runs 0 embed turns.jsonl --model tiny --turns $way --json -o $way.npy
    says out '"most_turns": 3'
    says out "\"turns\": \"$way\""
    shape $way.npy "40, $columns"
    runs 0 score -q results.csv -p turns.jsonl --embed tiny --turns $way $short
    sed '2,3d' out >by_folder # which vectors, and how turns were joined
    runs 0 score -q results.csv -p turns.jsonl --embed $way.npy $short
    sed '2,3d' out >by_file
    same by_folder by_file "score --turns $way by the encoder and by its file"
done
other mean.npy weighted.npy "mean and weighted"
other mean.npy last.npy "mean and last"

printf '{"id":"a\\u001b[31m","prompt":"the \\u001b[2J\\u0007 cat\\u0000 sat"}\n' >control.jsonl
runs 0 embed control.jsonl --model tiny -o "$(printf 'red\033[31m.npy')"
! tr -d '\n' <out | grep -q '[[:cntrl:]]' || fail "control characters in the report: $(cat -v out)"
printf '{"id":"e","prompt":""}\n' >empty.jsonl
runs 0 embed empty.jsonl --model tiny -o empty.npy

# ---- what is wrong with a model, an input, an output ----

# damaged NAME TEXT: a copy of the model in the folder NAME fails so.
damaged() {
    runs 1 embed few.jsonl --model "$1" -o damaged.npy
    says err "$1"
    says err "$2"
    absent damaged.npy "$1"
    absent damaged.ids.csv "$1"
    runs 1 score -q results.csv -p few.jsonl --embed "./$1"
    says err "$2"
}

copy() { rm -rf "$1" && cp -r tiny "$1"; }

copy cut_weights && head -c 40000 tiny/model.safetensors >cut_weights/model.safetensors
damaged cut_weights "model.safetensors"
copy no_weights && rm no_weights/model.safetensors
damaged no_weights "has no model.safetensors"
copy not_weights && echo '<html>' >not_weights/model.safetensors
damaged not_weights "model.safetensors"
copy cut_config && head -c 100 tiny/config.json >cut_config/config.json
damaged cut_config "config.json"
copy another_kind && sed 's/"bert"/"ro\\u001b[31mberta"/' tiny/config.json >another_kind/config.json
damaged another_kind "config.json"
copy wider && sed 's/"hidden_size":32/"hidden_size":64/' tiny/config.json >wider/config.json
damaged wider "model.safetensors"
copy more_tokens && sed 's/"i":19/"i":19,"dog":20/' tiny/tokenizer.json >more_tokens/tokenizer.json
damaged more_tokens "tokens"
copy cut_tokenizer && head -c 400 tiny/tokenizer.json >cut_tokenizer/tokenizer.json
damaged cut_tokenizer "tokenizer.json"
copy no_tokenizer && rm no_tokenizer/tokenizer.json
damaged no_tokenizer "tokenizer.json"

runs 1 embed few.jsonl -o missing.npy
says err "--download brings it"
runs 1 embed few.jsonl --model nobody -o missing.npy
says err "no model nobody"
runs 2 embed few.jsonl --model "$(printf 'x\033[31m')" -o missing.npy
runs 2 embed few.jsonl --model ../tiny/ -o missing.npy
runs 1 embed nowhere.jsonl --model tiny -o missing.npy
runs 1 embed results.csv --model tiny -o missing.npy
absent missing.npy "nothing was to be written"
runs 1 score results.csv -p few.jsonl --embed nobody
says err "no model nobody"
runs 2 score results.csv -p few.jsonl --embed tiny:window
says err "an embedding is tiny:window, expected"
runs 2 score results.csv -p few.jsonl --average tfidf,tiny:window

runs 4 embed few.jsonl --model tiny -o nowhere/vectors.npy
absent nowhere "it was not there before"
runs 2 embed few.jsonl --model tiny -o one --ids one
absent one "vectors and ids cannot be one file"
runs 4 embed few.jsonl --model tiny -o unlucky.npy --ids nowhere/ids.csv
absent unlucky.npy "its ids cannot be written"
mkdir closed && : >closed/vectors
runs 0 embed few.jsonl --model tiny --cache closed -o closed.npy
says err "assay: vectors are not kept for the next time: "
runs 0 embed few.jsonl --model tiny --cache closed --no-store -q -o closed.npy
if [ -w /dev/full ]; then
    "$binary" embed few.jsonl --model tiny -o - >/dev/full 2>err
    [ $? = 4 ] || fail "a full disk is not exit status 4"
    says err "assay: standard output cannot be written"
fi

# ---- a store that somebody damaged ----

for file in cache/assay/vectors/*; do head -c 1000 "$file" >short && cp short "$file"; done
runs 0 embed prompts.jsonl --model tiny -o repaired.npy
same first.npy repaired.npy "a store that was cut short"
rm -rf cache/assay/vectors
runs 0 embed prompts.jsonl --model tiny -o repaired.npy
same first.npy repaired.npy "a store that was removed"

# ---- score ----

score() { runs 0 score results.csv -p few.jsonl $short "$@"; }

score --json
says out '"embedding": "tfidf"'
says out '"embedding_by_default": true'
says out '"encoder": null'
score
says out 'compared word by word: no sentence encoder is at hand'
score --embed tfidf
says_not out 'no sentence encoder'

score -q --embed tiny --json --threads 1
cp out by_folder
says out '"embedding": "tiny"'
says out '"embedding_by_default": false'
says out '"kind": "bert"'
says out '"max_tokens": 16'
says out '"truncated": 0'
is_json out schema embedding embedding_by_default encoder prompts
score -q --embed tiny --json --threads 2
same by_folder out "score with 1 and with 2 threads"
rm -rf cache/assay/vectors
score -q --embed tiny --json --threads 2
same by_folder out "score without a store"

# What an answer says of everything but where its vectors are from.
rest() { sed '/"encoder": {/,/}/d; /"encoder/d; /"embedding/d; /"truncated/d; /"unknown"/d; /"unknown_reason/d' "$1"; }
score -q --embed few.npy --json
rest out >by_file
rest by_folder >out
same out by_file "score by an encoder and by the file that assay embed made"

sed 's/"id":"p1","prompt":"/&'"$long"' /' few.jsonl >few_long.jsonl
for way in "" :cut :windows :head-tail; do
    runs 0 score results.csv -p few_long.jsonl $short --embed "./tiny$way"
    says out "1 prompt is longer than the encoder's 16 tokens"
    runs 0 score -q results.csv -p few_long.jsonl $short --embed "./tiny$way" --json
    says out '"truncated": 1'
    [ -n "$way" ] && says out "\"long\": \"${way#:}\""
done

mkdir -p cache/assay/models
cp -r tiny cache/assay/models/all-MiniLM-L6-v2
score -q --json
says out '"embedding": "minilm"'
says out '"embedding_by_default": true'
says out '"kind": "bert"'
score -q --json --embed all-MiniLM-L6-v2
says out '"embedding_by_default": false'
runs 0 embed few.jsonl -o default.npy
same few.npy default.npy "the model that is taken by default"
score --average tfidf,tiny:windows
: >cache/assay/models/all-MiniLM-L6-v2/model.safetensors
runs 1 score -q results.csv -p few.jsonl
says err "model.safetensors"
rm -rf cache/assay/models

# ---- a hub ----

mkdir -p served/hub/me served/hub/sentence-transformers
cp -r tiny served/hub/me/mine
cp -r tiny served/hub/sentence-transformers/all-MiniLM-L6-v2
mkfifo life
"$serve" served <life &
server=$!
exec 3>life
for i in $(seq 500); do [ -e served/port ] || sleep 0.01; done
url=http://127.0.0.1:$(cat served/port)
models=cache/assay/models
export HF_ENDPOINT="$url"

# requests FILE: what the log tells since the last call.
requests() {
    tail -n "+$((seen + 1))" served/log >"$1"
    seen=$(wc -l <served/log)
}
seen=0

whole() { diff -r tiny "$1" || fail "$1 is not the model: $2"; }

HF_TOKEN=secret runs 0 embed --download --model me/mine
says err "assay: the model is in $XDG_CACHE_HOME/assay/models/me--mine"
whole $models/me--mine "--download"
requests log
says log "GET /api/models/me/mine/tree/main?recursive=true key=[Bearer secret]"
says log "GET /me/mine/resolve/main/model.safetensors key=[Bearer secret] range=[]"
runs 0 embed --download --model me/mine
says err "assay: the model is in $XDG_CACHE_HOME/assay/models/me--mine"
runs 0 embed few.jsonl --download --model me/mine -q -o hub.npy
same few.npy hub.npy "a model from the hub"
requests log
[ ! -s log ] || fail "a model that is there was asked for: $(cat log)"
rm -rf $models

runs 0 embed few.jsonl --download -o hub.npy
same few.npy hub.npy "the model that is taken by default, from the hub"
whole $models/all-MiniLM-L6-v2 "by its short name"
requests log
says_not log "key=[B"
rm -rf $models

: >served/cut
runs 0 embed --download --model me/mine -q
whole $models/me--mine "cut, and resumed"
half=$(($(wc -c <tiny/model.safetensors) / 2))
requests log
says log "model.safetensors key=[] range=[]"
says log "model.safetensors key=[] range=[bytes=$half-]"
rm -rf $models

# Killed in the middle, and begun again.
: >served/stall
"$binary" embed --download --model me/mine -q &
killed=$!
part=$models/.partial-me--mine/model.safetensors
for i in $(seq 500); do [ -s $part ] && break || sleep 0.01; done
sleep 0.1
kill -KILL $killed
wait $killed 2>/dev/null
rm served/stall
absent $models/me--mine "the download was killed"
kept=$(wc -c <$part)
requests log
runs 0 embed --download --model me/mine -q
whole $models/me--mine "killed, and resumed"
requests log
says log "model.safetensors key=[] range=[bytes=$kept-]"
[ -z "$(ls -A $models | grep partial)" ] || fail "left behind: $(ls -A $models)"
rm -rf $models

# Told to stop, which is no failure: what came stays, and standard error says one line.
: >served/stall
"$binary" embed --download --model me/mine -q >out 2>err &
stopped=$!
for i in $(seq 500); do [ -s $part ] && break || sleep 0.01; done
kill -TERM $stopped
wait $stopped
got=$?
rm served/stall
[ $got = 130 ] || fail "stopped in a download: exit status $got, not 130"
[ "$(wc -l <err)" = 1 ] && grep -q '^assay: ' err || fail "stopped in a download: $(cat err)"
[ -s $part ] && [ ! -e $models/me--mine ] || fail "stopped in a download: $(ls -AR $models)"
rm -rf $models
requests log

runs 1 embed --download --model me/nobody
says err "me/nobody"
says err "404"
absent $models "the hub has no such model"
runs 2 embed --download --model frobnicate
runs 2 embed --download --model me/../mine
HF_ENDPOINT=$url/nowhere runs 1 embed --download --model me/mine
HF_ENDPOINT=ftp://127.0.0.1 runs 2 embed --download --model me/mine
HF_ENDPOINT=http://192.0.2.1 HF_TOKEN=secret runs 2 embed --download --model me/mine
says_not err secret
mkdir -p cache/assay && : >cache/assay/models
runs 4 embed --download --model me/mine
rm cache/assay/models

# ---- a server ----

requests log
by_server() { runs "$1" embed prompts.jsonl --server "$2" --model some/model -o server.npy; }

by_server 0 "$url/v1"
says out "$distinct different inputs to the model, 0 of them embedded before"
says out "server:  $url/v1"
shape server.npy "300, 8"
requests log
[ "$(grep -c POST log)" = $(((distinct + 63) / 64)) ] && grep -q 'texts=64' log ||
    fail "$distinct texts were asked for otherwise than in batches of 64: $(cat log)"
says_not log "key=[B"
cp server.npy asked.npy
by_server 0 "$url/v1/embeddings"
says out "$distinct of them embedded before"
same server.npy asked.npy "what was stored"
runs 0 embed few.jsonl --server "$url/v1/embeddings?api-key=hushhush" --model m --no-store -o secret.npy
says_not out hushhush
says out "server:  $url/v1/embeddings"
runs 0 embed prompts.jsonl --server "$url/v1" --model another -o another.npy --json
is_json out server sha256_reason max_tokens_reason truncated_reason tokens_reason long_reason
says out '"stored": 0'
requests log

: >served/busy
runs 0 embed few.jsonl --server "$url/v1" --model busy -o server.npy
absent served/busy "it was to be answered 429"
requests log
[ "$(grep -c POST log)" = 2 ] || fail "429 was not asked again: $(cat log)"

runs 0 embed few.jsonl --server "$url/v1" --model m --no-store -o server.npy
runs 0 embed few.jsonl --server "$url/v1" --model m --no-store -o server.npy
OPENAI_API_KEY=secret runs 0 embed few.jsonl --server "$url/v1" --model m --no-store -o server.npy
requests log
[ "$(grep -c POST log)" = 3 ] || fail "--no-store has not asked three times: $(cat log)"
says_not log secret
ASSAY_API_KEY=secret runs 0 embed few.jsonl --server "$url/v1" --model m --no-store -o server.npy
requests log
says log "POST /v1/embeddings key=[Bearer secret]"
says_not out secret
ASSAY_API_KEY=secret runs 1 embed few.jsonl --server "$url/nowhere" --model m -o nothing.npy
says err "404"
says_not err secret
ASSAY_API_KEY=secret runs 2 embed few.jsonl --server http://192.0.2.1/v1 --model m -o nothing.npy
says_not err secret
runs 2 embed few.jsonl --server ftp://127.0.0.1/v1 --model m -o nothing.npy
runs 2 embed few.jsonl --server "http://me:secret@127.0.0.1/v1" --model m -o nothing.npy
says_not err secret
runs 2 embed few.jsonl --server "$url/v1" --model "" -o nothing.npy
absent nothing.npy "the server gave no vectors"

score -q --embed "$url/v1#some/model" --json
says out "\"embedding\": \"$url/v1#some/model\""
says out '"kind": "server"'
says out '"long": null'
says out '"truncated": null'
requests log
runs 0 embed few.jsonl --server "$url/v1" --model some/model -q -o server.npy
rest out >/dev/null
score -q --embed "$url/v1#some/model" --json
rest out >by_server
score -q --embed server.npy --json
rest out >by_file
same by_server by_file "score by a server and by the file that assay embed made"
runs 2 score results.csv -p few.jsonl --embed "$url/v1"
runs 2 score results.csv -p few.jsonl --embed "$url/v1#"
runs 1 score -q results.csv -p few.jsonl --embed "$url/nowhere#m"

[ $failed = 0 ] && echo "embedded: a folder, a hub, a server; $distinct texts"
exit $failed

#!/bin/sh
# Makes the files anew: `sh make.sh WORK FOLDER`, with a Python that has what requirements.txt names.
set -eu
work=$1 folder=$2
cd "$(dirname "$0")"
export OPENBLAS_NUM_THREADS=1
python download.py "$work"
python collect.py "$work"
python paragraphs.py "$work"
python choose_vocabulary.py "$work"
python examples.py "$work" english
for texts in english pieces long plain; do python teacher.py "$work" $texts; done
python examples.py "$work" cut
python start.py "$work"
# Each run goes on from the one before, at full rate again.
for steps in 1000 1300 700; do python train.py "$work" $steps; done
python write_files.py "$work" "$folder"

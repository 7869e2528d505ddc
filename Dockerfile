# A machine for Theogony, alone or in a Ray cluster (docs/rllib.md#in-a-cloud). With CUDA, which nobody has tried yet:
# docker build -t theogony --build-arg TORCH=https://download.pytorch.org/whl/cu128 .
FROM python:3.12-slim
ARG TORCH=https://download.pytorch.org/whl/cpu
# bubblewrap holds the programs of others; Kubernetes asks Ray by wget whether it is well.
RUN apt-get update && apt-get install -y --no-install-recommends bubblewrap wget && rm -rf /var/lib/apt/lists/*
WORKDIR /theogony
COPY . .
RUN pip install --no-cache-dir --extra-index-url "$TORCH" -c constraints-rllib.txt -e ".[train,render,rllib]" onnx
CMD ["theogony", "--help"]

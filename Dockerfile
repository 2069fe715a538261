# Two images of the command. On cores alone, the last stage and the default; with devices, by --target devices:
#
#     docker build -t bcstage .
#     docker run --rm -v "$PWD:/data" --user "$(id -u)" bcstage edges.parquet -o scores.parquet
#
#     docker build -t bcstage-devices --target devices .
#     docker run --rm --gpus all bcstage-devices devices
#
# The default image holds the binary, licences and root certificates, and no shell. The one with devices
# adds glibc, an OpenCL loader and the file that names NVIDIA's driver, which the host mounts. Both run as a
# user without rights.
FROM golang:1.25 AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
RUN make licences && for devices in yes no; do \
	CGO_ENABLED=0 go build -trimpath -ldflags='-s -w' -tags "$(cat .ci/tags)$([ $devices = yes ] || echo ,nodevices)" -o /bcstage-$devices ./cli/bcstage || exit 1; done

FROM debian:12-slim AS devices
RUN apt-get update && apt-get install -y --no-install-recommends ca-certificates ocl-icd-libopencl1 && rm -rf /var/lib/apt/lists/* && \
	mkdir -p /etc/OpenCL/vendors && echo libnvidia-opencl.so.1 >/etc/OpenCL/vendors/nvidia.icd
ENV NVIDIA_VISIBLE_DEVICES=all NVIDIA_DRIVER_CAPABILITIES=compute,utility
COPY --from=build /bcstage-yes /usr/local/bin/bcstage
COPY --from=build /src/LICENSE /src/build/THIRD-PARTY.txt /licences/
USER nobody
WORKDIR /data
ENTRYPOINT ["bcstage"]

FROM gcr.io/distroless/static-debian12:nonroot
COPY --from=build /bcstage-no /bcstage
COPY --from=build /src/LICENSE /src/build/THIRD-PARTY.txt /licences/
USER nonroot
WORKDIR /data
ENTRYPOINT ["/bcstage"]

# The command alone, without OpenCL, which needs its device's driver inside:
#
#     docker build -t bcstage .
#     docker run --rm -v "$PWD:/data" --user "$(id -u)" bcstage edges.parquet -o scores.parquet
#
# The last stage holds the binary, licences and root certificates, and no shell; it
# runs as a user without rights.
FROM golang:1.25 AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
RUN CGO_ENABLED=0 go build -trimpath -ldflags='-s -w' -tags "$(cat .ci/tags)" -o /bcstage ./cli/bcstage && make licences

FROM gcr.io/distroless/static-debian12:nonroot
COPY --from=build /bcstage /bcstage
COPY --from=build /src/LICENSE /src/build/THIRD-PARTY.txt /licences/
USER nonroot
WORKDIR /data
ENTRYPOINT ["/bcstage"]

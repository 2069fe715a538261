# The command alone, without OpenCL, which needs its device's driver inside.
FROM golang:1.25 AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
RUN CGO_ENABLED=0 go build -trimpath -ldflags='-s -w' -o /bcstage ./cli/bcstage

FROM gcr.io/distroless/static-debian12:nonroot
COPY --from=build /bcstage /bcstage
WORKDIR /data
ENTRYPOINT ["/bcstage"]

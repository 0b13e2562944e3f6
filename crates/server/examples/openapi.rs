//! Prints the OpenAPI description of the HTTP API; `web/src/lib/api/schema.ts` is generated from it.
#![allow(clippy::print_stdout, reason = "the description is the output")]

fn main() {
    print!("{}", server::openapi_json());
}

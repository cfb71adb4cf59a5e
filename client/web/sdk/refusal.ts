// Refusals as errors, and whether to retry.
import { ERRORS, type ErrorCode, type Refused, type Retry } from "./protocol.ts";

/** The server refused a command. The message is a sentence to show; `code` is for programs. */
export class RefusedError extends Error {
  /** One of `ERRORS`, or a code that is newer than this file. */
  readonly code: string;

  /** Make an error of a `refused`. */
  constructor(refused: Refused) {
    super(refused.text);
    this.name = "RefusedError";
    this.code = refused.code;
  }
}

/** Whether to retry after this refusal. A code that is newer than this file counts as `never`. */
export function retryAfter(refused: RefusedError): Retry {
  return ERRORS[refused.code as ErrorCode]?.retry ?? "never";
}

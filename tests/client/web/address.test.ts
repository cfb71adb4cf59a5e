import assert from "node:assert/strict";
import { test } from "node:test";
import { socketAddress } from "../../../client/web/sdk/address.ts";

test("addresses are read as users write them", () => {
  for (const [written, meant] of [
    ["https://play.example.org", "wss://play.example.org/ws"],
    ["http://127.0.0.1:8765/", "ws://127.0.0.1:8765/ws"],
    ["https://example.org/parlour/ws", "wss://example.org/parlour/ws"],
    ["ws://127.0.0.1:8765/ws", "ws://127.0.0.1:8765/ws"],
    ["wss://[::1]:8765/ws", "wss://[::1]:8765/ws"],
    ["127.0.0.1:8765", "ws://127.0.0.1:8765/ws"],
    ["[::1]:8765", "ws://[::1]:8765/ws"],
    ["play.example.org", "wss://play.example.org/ws"],
    ["play.example.org/parlour/ws", "wss://play.example.org/parlour/ws"],
    ["play.example.org:443", "wss://play.example.org/ws"],
    [" localhost ", "ws://127.0.0.1:8765/ws"],
  ]) {
    assert.equal(socketAddress(written!), meant, written);
  }
});

test("what is no address is refused", () => {
  for (const written of ["", "ftp://example.org", "http://", "two words"]) {
    assert.throws(() => socketAddress(written), TypeError, written);
  }
});

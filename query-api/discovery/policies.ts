/** What a program that uses the service can rely on, under `x-policies` of the OpenAPI description. */
export const POLICIES = {
  versioning:
    'The MCP protocol version is negotiated by initialize: one that the server knows is echoed, 2024-11-05 is assumed when none is named. Tools, modes and fields are only added; a field is removed or changes its meaning only with a new major version of info.version. Clients ignore fields they do not know; the server refuses arguments it does not know.',
  pagination:
    'A list is data.items. It takes limit and cursor; meta.next_cursor continues it and is null at its end. A cursor is opaque and belongs to the arguments it came with.',
  sandbox:
    'A workspace marked as a sandbox behaves like any other, may be reset by its owner, and is never billed or reported. Use a key of a sandbox workspace to try calls out.',
  batching:
    'JSON-RPC batches of at most 50 messages are taken from clients of MCP 2024-11-05 and 2025-03-26. Each message is authorised and metered by itself and they run in order; initialize must stand alone. Under X-Idempotency-Key each message of a batch has the key of its position.',
  idempotency:
    'Writes take X-Idempotency-Key: the same key and arguments within 24 hours get the first answer and do nothing; other arguments are refused as a conflict. Secrets are not stored: a repeated answer carries null in their place.',
  metering:
    'Each call costs work units, which meta.work_units states: more for searches, writes and analyses than for reads, and for each of several things that one call works on. initialize, ping and tools/list cost none. There is no hard limit but during an incident, when the operator gives each key so many units a minute: beyond it a call is answered 429 with -32002 and Retry-After.',
} as const

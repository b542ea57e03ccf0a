import { MAX_BYTES_OF_A_BATCH, MAX_IN_A_BATCH } from '../mcp/batch.ts'
import { MAX_BODY_BYTES, MAX_KEYLESS_BODY_BYTES } from '../mcp/endpoint.ts'

/** What a program that uses the service can rely on, under `x-policies` of the OpenAPI description. */
export const POLICIES = {
  versioning:
    'The MCP protocol version is negotiated by initialize: one that the server knows is echoed, 2024-11-05 is assumed when none is named. Tools, modes and fields are only added; a field is removed or changes its meaning only with a new major version of info.version. Clients ignore fields they do not know; the server refuses arguments it does not know.',
  pagination:
    'A list is data.items. It takes limit and cursor; meta.next_cursor continues it and is null at its end. A cursor is opaque and belongs to the arguments it came with.',
  sandbox:
    'A workspace marked as a sandbox behaves like any other, may be reset by its owner, and is never billed or reported. Use a key of a sandbox workspace to try calls out.',
  batching: `JSON-RPC batches of at most ${MAX_IN_A_BATCH} messages are taken from clients of MCP 2024-11-05 and 2025-03-26; a batch in a batch is not. A body has at most ${MAX_BODY_BYTES} bytes with a valid key and ${MAX_KEYLESS_BODY_BYTES} without. Each message is authorised and metered by itself and they run in order, one at a time; initialize must stand alone. Once a batch has answered ${MAX_BYTES_OF_A_BATCH} bytes the rest of it is not run: each further request is answered -32003, and is to be sent again by itself or in another batch. Under X-Idempotency-Key each message of a batch has the key of its position.`,
  idempotency:
    'Writes take X-Idempotency-Key: the same key and arguments within 24 hours get the first answer and do nothing; other arguments are refused as a conflict. Secrets are not stored: a repeated answer carries null in their place.',
  metering:
    'Each call costs work units, which meta.work_units states: more for searches, writes and analyses than for reads, and for each of several things that one call works on. initialize, ping and tools/list cost none. There is no hard limit for a key but during an incident, when the operator gives each key so many units a minute: beyond it a call is answered 429 with -32002 and Retry-After.',
  quotas:
    'What an account or a workspace may have is limited by the operator. A write that would go beyond it makes nothing and is answered 409 with the code quota_exceeded: how many there are, how many are allowed, how a place is freed, and the setting that raises it.',
  without_a_key:
    'Messages without a key that the server knows are counted by client address, those of a batch each, and a long answer as several. Beyond what the operator allows a minute they are answered 429 with -32002 and Retry-After. Keep what tools/list answered; send the key with every request.',
} as const

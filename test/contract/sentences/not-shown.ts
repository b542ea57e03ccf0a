/** Where the interface says that it does not show something, and what was chosen there. */
export interface NotShown {
  readonly what: string
  readonly choice: string
  /** Markdown: where it is documented. */
  readonly documented: string
}

const TOOLS = '[Tools](tools.md) and `tools/list?surface=full`'
const OPENAPI = '`/api/openapi.json`'

export const NOT_SHOWN = {
  'object-not-shown-1': {
    what: 'the fields of claims, Solutions, map nodes, Decisions, Living Documents and Outcomes',
    choice: 'each operation declares the schema of what it answers',
    documented: OPENAPI,
  },
  'state-not-shown-1': {
    what: 'the transitions of a Solution',
    choice: 'a move that is not allowed answers the state, the moves that are, and the call for each',
    documented: '[Rules](../rules.md#tools-and-the-board), and `transitions` of `service_lookup` `solution`',
  },
  'tool-not-shown-1': {
    what: 'the names of the other modes, and the other depths',
    choice: 'a mode is named for what it reads or does; depths are summary, standard and full',
    documented: TOOLS,
  },
  'tool-not-shown-2': {
    what: 'what the other tools and modes take and answer',
    choice: '`data` and `meta`; a list is `data.items` with `limit` and `cursor`',
    documented: `${TOOLS}, ${OPENAPI}`,
  },
  'tool-not-shown-3': {
    what: 'what `update_solution` answers',
    choice: 'the Solution, what changed from what to what, and the Decision that it hangs on',
    documented: OPENAPI,
  },
  'webhook-not-shown-1': {
    what: 'what the metric webhook answers',
    choice: '`ok`, `metric_id` and `occurred_at`',
    documented: OPENAPI,
  },
  'webhook-not-shown-2': {
    what: 'the body that the mail infrastructure sends, and the answer',
    choice: 'the mail as `message/rfc822` with the secret as bearer token; `ok` and `snippet_id`',
    documented: '[Configuration](configuration.md), [decision 19](../decisions/0019-mail.md)',
  },
  'webhook-not-shown-3': {
    what: 'what a code host’s webhook answers',
    choice: '`ok` and `event`, with `snippet_id` for what became a Signal and `ignored` for what is not taken',
    documented: OPENAPI,
  },
  'webhook-not-shown-4': {
    what: 'the path and the payload of what an agent connected',
    choice: '`/api/webhooks/connections/{id}`; `data` is a signal body, or a mapping says where its fields are',
    documented: OPENAPI,
  },
  'proof-not-shown-1': {
    what: 'what the signature of a signal signs, and with which key',
    choice: 'the raw body, by HMAC-SHA256 with the secret as it is shown, in hexadecimal',
    documented: `${OPENAPI}, and the examples that creating a source answers`,
  },
  'event-not-shown-1': {
    what: 'events that the service sends',
    choice: 'none are sent',
    documented: OPENAPI,
  },
  'error-not-shown-1': {
    what: 'how webhooks answer what is wrong, besides 429',
    choice: 'RFC 9457 with `ok: false`: 400, 401, 404, 405, 413, 415, 422 and 503',
    documented: `${OPENAPI}, [rules](../rules.md#the-edge)`,
  },
  'metering-not-shown-1': {
    what: 'the limits of work units and of the MCP request rate',
    choice: 'none for a key but in an incident; without a key 600 messages a minute from an address',
    documented: `\`x-policies\` of ${OPENAPI}, [rules](../rules.md#mcp)`,
  },
  'version-not-shown-1': {
    what: 'what the policies of versioning, pagination, sandbox and batching say',
    choice: 'they are sentences of the document, with the figures that hold',
    documented: `\`x-policies\` of ${OPENAPI}`,
  },
} as const satisfies Readonly<Record<string, NotShown>>

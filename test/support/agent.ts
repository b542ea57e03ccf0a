import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { withoutMarks } from '../../query-api/mcp/strangers-marks.ts'
import { createKey, type Person } from './person.ts'

/** What a tool answered, as its structured content. */
interface ToolAnswer<Data> {
  readonly data: Data
  readonly meta: { readonly timestamp: string; readonly work_units: number; readonly next_cursor: string | null }
}

/** What `service_analyze` `activity` answers, as `data`. */
export interface ActivityAnswer {
  readonly items: readonly {
    readonly period: string | null
    readonly group: Readonly<Record<string, string>>
    readonly metrics: Readonly<Record<string, number>>
  }[]
}

/** An agent on the official client. */
export interface Agent {
  readonly client: Client
  call<Data>(tool: string, input: Record<string, unknown>): Promise<ToolAnswer<Data>>
  close(): Promise<void>
}

/** Connects the official MCP client with a key; `call` throws with the tool's own sentence when it fails. */
export const connectAgent = async (baseUrl: string, key: string): Promise<Agent> => {
  const client = new Client({ name: 'assay-test', version: '1.0.0' })
  const transport = new StreamableHTTPClientTransport(new URL(`${baseUrl}/api/mcp`), {
    requestInit: { headers: { Authorization: `Bearer ${key}` } },
  })
  // The SDK's own transport does not satisfy its interface under exactOptionalPropertyTypes: `sessionId` may be
  // undefined.
  await client.connect(transport as Parameters<Client['connect']>[0])
  return {
    client,
    call: async <Data>(tool: string, input: Record<string, unknown>) => {
      const result = await client.callTool({ name: tool, arguments: input })
      if (result.isError === true) throw new Error(`${tool} failed: ${JSON.stringify(result.content)}`)
      // An agent knows what the marks are, and reads what is inside.
      return withoutMarks(result.structuredContent as ToolAnswer<Data>)
    },
    close: () => client.close(),
  }
}

/** An agent with a new key of the person. */
export const agentOf = async (person: Person): Promise<Agent> =>
  connectAgent(person.baseUrl, (await createKey(person)).key)

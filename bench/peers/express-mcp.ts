import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createMcpExpressApp } from '@modelcontextprotocol/sdk/server/express.js'
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import { CallToolRequestSchema } from '@modelcontextprotocol/sdk/types.js'

/**
 * A server without sessions as the SDK's own examples have it: Express, and for each request a server and a stock
 * Streamable HTTP transport. Its one tool does nothing; there are no keys, no schemas of arguments, nothing is metered
 * and nothing kept.
 */
const createServer = (): Server => {
  const server = new Server({ name: 'peer', version: '1.0.0' }, { capabilities: { tools: {} } })
  server.setRequestHandler(CallToolRequestSchema, async () => {
    const answer = { data: { done: 'nothing' } }
    return { structuredContent: answer, content: [{ type: 'text', text: JSON.stringify(answer) }] }
  })
  return server
}

const app = createMcpExpressApp()
app.post('/api/mcp', async (request: IncomingMessage & { body: unknown }, response: ServerResponse) => {
  const server = createServer()
  // Its types want the key left out where it is undefined, which its own examples do not.
  const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true })
  response.on('close', () => {
    transport.close()
    server.close()
  })
  // The SDK's class declares more than its own interface does under exactOptionalPropertyTypes.
  await server.connect(transport as Parameters<Server['connect']>[0])
  await transport.handleRequest(request, response, request.body)
})
app.get('/cpu', (_request: IncomingMessage, response: ServerResponse) => {
  response.end(JSON.stringify(process.cpuUsage()))
})

const listening = app.listen(0, '127.0.0.1', () => {
  // A server that listens on TCP has such an address.
  console.log(`http://127.0.0.1:${(listening.address() as AddressInfo).port}`)
})

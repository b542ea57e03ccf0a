import { randomHex } from '../../infra/runtime/secrets.ts'

/** A new MCP key. Only its hash is ever stored. */
export const newKey = (): string => `service_mcp_${randomHex(16)}`

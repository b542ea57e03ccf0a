import { t } from '../../language/messages.ts'

interface Configuration {
  readonly client: string
  /** Where it goes. */
  readonly where: string
  readonly text: string
}

const json = (value: object): string => JSON.stringify(value, null, 2)

/** What the common clients want to be told to connect with a key. docs/connecting/ says more of each. */
export const configurationsOf = (url: string, key: string): readonly [Configuration, ...Configuration[]] => {
  const headers = { Authorization: `Bearer ${key}` }
  return [
    {
      client: 'Claude Code',
      where: t('Run this in a terminal'),
      text: t('claude mcp add --transport http assay {url} --header "Authorization: Bearer {key}"', { url, key }),
    },
    {
      client: 'Claude Desktop',
      where: t('Settings → Developer → Edit Config: claude_desktop_config.json'),
      text: json({ mcpServers: { assay: { type: 'http', url, headers } } }),
    },
    { client: 'Cursor', where: '~/.cursor/mcp.json', text: json({ mcpServers: { assay: { url, headers } } }) },
    {
      client: 'VS Code',
      where: t('{file}; it asks for the key and keeps it', { file: '.vscode/mcp.json' }),
      text: json({
        inputs: [{ type: 'promptString', id: 'assay-key', description: t('MCP key of Assay'), password: true }],
        servers: { assay: { type: 'http', url, headers: { Authorization: `Bearer \${input:assay-key}` } } },
      }),
    },
    {
      client: 'Codex',
      where: t('{file}; put the key into the environment variable ASSAY_KEY', { file: '~/.codex/config.toml' }),
      text: `[mcp_servers.assay]\nurl = "${url}"\nbearer_token_env_var = "ASSAY_KEY"`,
    },
    {
      client: t('Other'),
      where: t('Client configuration'),
      text: json({ mcpServers: { assay: { type: 'http', url, headers } } }),
    },
    {
      client: 'curl',
      where: t('Run this in a terminal to see that the key works'),
      text: `curl -s ${url} -H "Content-Type: application/json" -H "Authorization: Bearer ${key}" -d '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"service_orient","arguments":{"mode":"snapshot"}}}'`,
    },
  ]
}

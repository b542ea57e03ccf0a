import { setTimeout as sleep } from 'node:timers/promises'
import { postMail } from '../../../test/support/mail.ts'
import { type CreatedSource, createKey, type Person, signUp } from '../../../test/support/person.ts'
import { type Gun, send } from './gun.ts'

/**
 * What a tenant can do to the query API and by mail beside sending signals: the dearest bodies that an attacker with
 * the source found. Each goes out over few connections, as fast as one person's programs would send it.
 */

const MIB = 1024 * 1024
/** The largest body that the query API reads. */
const BODY_BYTES = 4 * MIB
const FEW = 3

/** As many copies of a unit as fit, between a beginning and an end. */
const fill = (begin: string, unit: string, end: string, bytes = BODY_BYTES): Buffer => {
  const units = Math.floor((bytes - begin.length - end.length - 1024) / unit.length)
  return Buffer.from(begin + unit.repeat(units) + end)
}

/** `{"0":1,"1":1,…}`, inside of something that stands before and behind it. */
const keys = (begin: string, end: string, bytes = BODY_BYTES): Buffer => {
  const parts: string[] = []
  for (let key = 0, length = 0; length < bytes - 2048; key += 1) {
    const part = `"${key}":1,`
    parts.push(part)
    length += part.length
  }
  return Buffer.from(`${begin}{${parts.join('')}"x":1}${end}`)
}

interface HostileTenant {
  readonly owner: Person
  /** Whoever may only read. */
  readonly viewer: Person
  readonly workspaceId: string
  readonly key: string
  readonly edgeUrl: string
  /** Where its mail goes: a workspace has one address. */
  readonly mail: CreatedSource
}

const asPerson = ({ baseUrl, cookie }: Person, workspaceId: string) => ({
  origin: baseUrl,
  cookie,
  'x-workspace-id': workspaceId,
})
const asAgent = (key: string) => ({
  authorization: `Bearer ${key}`,
  accept: 'application/json, text/event-stream',
  'mcp-protocol-version': '2025-06-18',
})

/** One operation of the app with a body that was made once. */
const ofApp =
  (operation: string, body: Buffer) =>
  ({ viewer, workspaceId }: HostileTenant) =>
    Promise.resolve(() => send(`${viewer.baseUrl}/api/app/${operation}`, body, asPerson(viewer, workspaceId)))

const callOf = (json: string): string =>
  `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"service_lookup","arguments":${json}}}`

/** A tool's call, whose arguments stand where the parts meet. */
const ofMcp =
  (makeArguments: (begin: string, end: string) => Buffer) =>
  ({ viewer, key }: HostileTenant) => {
    const [begin = '', end = ''] = callOf('\0').split('\0')
    const body = makeArguments(begin, end)
    return Promise.resolve(() => send(`${viewer.baseUrl}/api/mcp`, body, asAgent(key)))
  }

const MAIL_BYTES = 100_000
const STYLES = [
  (bytes: number) => `<p style="font:${'1'.repeat(bytes)}">It fails</p>`,
  (bytes: number) => `<p style="transform:${'translate'.repeat(bytes / 9)}">It fails</p>`,
  (bytes: number) => `<p style="background:${'rgb( '.repeat(bytes / 5)}">It fails</p>`,
  (bytes: number) => `<style>${'.a'.repeat(bytes / 4)}{color:red}</style>${'<i class="a">'.repeat(bytes / 26)}`,
]

const mailOf = (number: number): Buffer =>
  Buffer.from(
    [
      'From: a@example.com',
      `Message-ID: <css-${number}-${Date.now()}@example.com>`,
      `Subject: ${number} crashes`,
      'Content-Type: text/html; charset=utf-8',
      '',
      STYLES[number % STYLES.length]?.(MAIL_BYTES).replaceAll(/(.{900})/g, '$1\r\n'),
    ].join('\r\n'),
  )

const byMail = ({ mail, edgeUrl }: HostileTenant) =>
  Promise.resolve(async (number: number) => {
    const { status, headers } = await postMail(edgeUrl, mail, mailOf(number))
    return { status, waits: Number(headers.get('retry-after') ?? 0) }
  })

const upload = ({ owner, workspaceId }: HostileTenant, name: string, file: Buffer) =>
  fetch(`${owner.baseUrl}/api/files/imports?name=${name}`, {
    method: 'POST',
    headers: { ...asPerson(owner, workspaceId), 'content-type': 'application/octet-stream' },
    body: new Uint8Array(file),
  })

/** A file of lines of 700,000 commas, uploaded once and looked at again and again. */
const previews = async (tenant: HostileTenant) => {
  const { owner, workspaceId } = tenant
  const answer = await upload(tenant, 'commas.csv', Buffer.from(`a${','.repeat(700_000)}\n`.repeat(20)))
  const { data } = (await answer.json()) as { data?: { id?: string } }
  const body = Buffer.from(JSON.stringify({ id: data?.id ?? '00000000-0000-7000-8000-000000000000' }))
  return () => send(`${owner.baseUrl}/api/app/preview_import`, body, asPerson(owner, workspaceId))
}

/** A file that begins as an export does, with one line of 15 MiB. */
const exports = (tenant: HostileTenant) => {
  const file = keys('', '\n', 15 * MIB)
  return Promise.resolve(async () => {
    const answer = await upload(tenant, 'export.jsonl', file)
    const text = await answer.text()
    const id = answer.ok ? /"id":"([0-9a-f-]{36})"/.exec(text)?.[1] : undefined
    if (id !== undefined) await tenant.owner.call('discard_transfer', { id }).catch(() => undefined)
    return { status: answer.status, waits: Number(answer.headers.get('retry-after') ?? 0) }
  })
}

/** Two texts of 30,000 lines that have little in common, brought together. */
const merges = async ({ owner, workspaceId }: HostileTenant) => {
  const lines = (of: number) => Array.from({ length: 30_000 }, (_, line) => (line * of) % 89).join('\n')
  const { solution } = await owner.call<{ solution: { reference: string } }>('create_solution', {
    title: 'Two texts',
    comment: 'Agreed.',
  })
  for (const [version, markdown] of [lines(3), lines(5)].entries()) {
    const edit = { solution_id: solution.reference, markdown, comment: 'Written.', ...(version > 0 && { version }) }
    await owner.call('edit_living_document', edit)
  }
  const body = Buffer.from(JSON.stringify({ solution_id: solution.reference, version: 1, markdown: lines(7) }))
  return () => send(`${owner.baseUrl}/api/app/merge_living_document`, body, asPerson(owner, workspaceId))
}

const STREAM_MS = 20_000

/** Live streams that are held for a while, and opened again. */
const streams = ({ viewer, workspaceId }: HostileTenant) =>
  Promise.resolve(async () => {
    const leaving = new AbortController()
    const response = await fetch(`${viewer.baseUrl}/api/app/events`, {
      headers: asPerson(viewer, workspaceId),
      signal: leaving.signal,
    })
    if (response.ok) await sleep(STREAM_MS)
    leaving.abort()
    return { status: response.status, waits: Number(response.headers.get('retry-after') ?? 0) }
  })

interface Weapon extends Pick<Gun, 'aMinute' | 'connections'> {
  readonly arm: (tenant: HostileTenant) => Promise<Gun['fire']>
}

/** `--weapons=` names them. */
export const WEAPONS = {
  'app-keys': { aMinute: 120, connections: FEW, arm: ofApp('lookup_search', keys('', '')) },
  'app-lists': { aMinute: 120, connections: FEW, arm: ofApp('lookup_search', fill('{"query":[', '[],', '[]]}')) },
  'app-metadata': { aMinute: 120, connections: FEW, arm: ofApp('list_signals', keys('{"metadata":', '}')) },
  'mcp-keys': { aMinute: 120, connections: FEW, arm: ofMcp((begin, end) => keys(begin, end)) },
  'mcp-lists': {
    aMinute: 60,
    connections: FEW,
    arm: ofMcp((begin, end) => fill(`${begin}{"mode":"search","query":[`, '[],', `[]]}${end}`)),
  },
  'css-mail': { aMinute: 50, connections: FEW, arm: byMail },
  previews: { aMinute: 60, connections: FEW, arm: previews },
  exports: { aMinute: 20, connections: 2, arm: exports },
  merges: { aMinute: 120, connections: 8, arm: merges },
  streams: { aMinute: 120, connections: 20, arm: streams },
  invitations: {
    aMinute: 300,
    connections: 8,
    arm: ({ owner, workspaceId }) =>
      Promise.resolve(number => {
        const body = Buffer.from(JSON.stringify({ label: `Guest ${number}`, role: 'viewer' }))
        return send(`${owner.baseUrl}/api/app/invite_member`, body, asPerson(owner, workspaceId))
      }),
  },
} as const satisfies Readonly<Record<string, Weapon>>

/** Makes what the chosen weapons need, in the hostile tenant of its owner. */
export const armWeapons = async (
  { owner, mail, edgeUrl }: Pick<HostileTenant, 'owner' | 'mail' | 'edgeUrl'>,
  chosen: readonly string[],
): Promise<readonly Gun[]> => {
  const { url } = await owner.call<{ url: string }>('invite_member', { label: 'Viewer', role: 'viewer' })
  const token = new URL(url).hash.slice(1)
  const viewer = await signUp(owner.baseUrl, token)
  const { workspace_id: workspaceId } = await viewer.call<{ workspace_id: string }>('accept_invitation', { token })
  const { key } = await createKey(owner)
  const guns: Gun[] = []
  for (const [name, { aMinute, connections, arm }] of Object.entries(WEAPONS)) {
    if (!chosen.includes(name)) continue
    guns.push({ name, aMinute, connections, fire: await arm({ owner, viewer, workspaceId, key, edgeUrl, mail }) })
  }
  return guns
}

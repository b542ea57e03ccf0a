import type { TestDatabase } from '../../infra/postgres/testing.ts'
import { newId } from '../../schemas/domain/ids.ts'
import type { Caller } from './define.ts'

const ACCOUNT = `
  insert into account_users (id, name, email) values ($1::uuid, $2, $1::uuid || '@example.com') on conflict (id) do nothing`
const MEMBER = `
  insert into members (workspace_id, user_id, role) values ($1, $2, $3)
  on conflict (workspace_id, user_id) do update set role = excluded.role`
const KEY = `
  insert into mcp_keys (id, workspace_id, owner_id, label, hash, last_four, scope)
  values ($1::uuid, $2, $3, $4, sha256(convert_to($1::uuid::text, 'utf8')), 'test', $5) on conflict (id) do nothing`
const SESSION = `
  insert into account_sessions (id, user_id, token, expires_at) values ($1::uuid, $2, $1::uuid::text, now() + interval '1 day')
  on conflict (id) do nothing`
const ADMINISTRATOR = `insert into administrators (user_id) values ($1) on conflict do nothing`

/**
 * Creates the account, the membership, and the key or session of a caller, once for each caller; rights that a test
 * removes later stay removed.
 */
export const createAdmission = (pool: TestDatabase['pool']) => {
  const admitted = new Map<string, string>()
  let last: Promise<unknown> = Promise.resolve()
  const admit = async (caller: Caller): Promise<Caller> => {
    const { workspaceId, userId, userName, role, via: through } = caller
    const person = `${workspaceId} ${userId}`
    const isNew = !admitted.has(person)
    if (isNew) await pool.query(ACCOUNT, [userId, userName])
    if (admitted.get(person) !== role) await pool.query(MEMBER, [workspaceId, userId, role])
    admitted.set(person, role)
    const proof = through.kind === 'key' ? through.keyId : through.sessionId
    const administers = through.kind === 'app' && through.administers
    if (admitted.has(`${proof} ${administers}`)) return caller
    admitted.set(`${proof} ${administers}`, role)
    if (through.kind === 'key')
      await pool.query(KEY, [proof, workspaceId, userId, through.label, through.scope ?? 'workspace'])
    else await pool.query(SESSION, [proof, userId])
    if (administers) await pool.query(ADMINISTRATOR, [userId])
    return caller
  }
  // Serialized, so that a second concurrent call waits for its caller.
  return (caller: Caller): Promise<Caller> => {
    const admitting = last.then(() => admit(caller))
    last = admitting.catch(() => {})
    return admitting
  }
}

/** A caller in the app with their own session. */
export const signedIn = (administers = false): Caller['via'] => ({ kind: 'app', administers, sessionId: newId() })

import { requestRewrite } from '../../../model/erasures/rewrites.ts'
import { continueNumbers, deleteActivity, emptySandbox } from '../../../model/sandbox/empty-sandbox.ts'
import { fillSandbox, SAMPLE_COUNTS, sampleTexts } from '../../../model/sandbox/fill-sandbox.ts'
import { deadSignal } from '../../../model/sandbox/story/activity.ts'
import type { Installed } from '../../../model/sandbox/story/product.ts'
import type { StoryContext } from '../../../model/sandbox/story/story.ts'
import { newSecret } from '../../../model/sources/proof.ts'
import { isSandbox } from '../../../model/workspaces/workspaces.ts'
import { DAY_MS } from '../../../schemas/domain/durations.ts'
import { derivedId, type EventId, newId, type WorkspaceId } from '../../../schemas/domain/ids.ts'
import { AssayError, type Services, type Transaction, Type, writeOperation } from '../define.ts'

export const resetSandbox = writeOperation({
  name: 'reset_sandbox',
  title: 'Reset the sandbox',
  summary:
    'Removes everything from this sandbox workspace, closes its sources, and puts the sample data back; members and keys stay. Refused in a workspace that is no sandbox.',
  effect: 'destructive',
  units: 20,
  role: 'owner',
  audience: 'people',
  databaseRole: 'assay_sandbox',
  input: Type.Object({}),
  output: Type.Object({
    signals: Type.Integer(),
    claims: Type.Integer(),
    solutions: Type.Integer(),
    decisions: Type.Integer(),
  }),
  prepare: async (_input, { caller, read, services: { embedder, encodeSignal, now } }) => {
    await read(transaction => assertSandbox(transaction, caller.workspaceId))
    const vectors = await embedder.embed([...sampleTexts()])
    const storyContext = storyContextFor({ id: caller.userId, name: caller.userName }, now())
    const record = await encodeSignal(deadSignal(storyContext, caller))
    const embedded = { model: embedder.model, vectors }
    return { storyContext, workspaceId: caller.workspaceId, embedded, deadSignal: record }
  },
  // The transaction requests the new activity; when it fails, the next reset does.
  changeBefore: ({ workspaceId }, { analytics }) => deleteActivity(analytics, workspaceId),
  apply: async (_input, transaction, { services }, { storyContext, workspaceId, ...prepared }) => {
    await assertSandbox(transaction, workspaceId)
    const places = await emptySandbox(transaction, workspaceId)
    await fillSandbox(transaction, workspaceId, storyContext, {
      ...prepared,
      secretFor: secretsOf(services),
      takesMail: services.mailDomain !== null,
    })
    await continueNumbers(transaction, workspaceId, places)
    await requestRewrite(transaction)
    return { data: SAMPLE_COUNTS }
  },
})

const assertSandbox = async (transaction: Transaction, workspaceId: WorkspaceId): Promise<void> => {
  if (await isSandbox(transaction, workspaceId)) return
  throw new AssayError(
    'conflict',
    'This workspace is no sandbox, and nothing of it was changed. create_workspace with sandbox: true makes one.',
  )
}

/** New ids each time, so that records still under way do not meet their objects of an earlier reset. */
const storyContextFor = (owner: StoryContext['owner'], now: Date): StoryContext => {
  const seed = newId()
  return {
    // The derived id is stable for each name.
    id: name => derivedId<EventId>('sample', seed, name),
    ago: days => new Date(now.getTime() - days * DAY_MS).toISOString(),
    owner,
  }
}

const secretsOf =
  ({ seal }: Pick<Services, 'seal'>): Installed['secretFor'] =>
  kind => {
    const { sealed, hash } = newSecret(kind, seal)
    return { sealed_secret: sealed && hex(sealed), secret_hash: hash && hex(hash) }
  }

/** PostgreSQL's text form of bytes. */
const hex = (bytes: Uint8Array): string => `\\x${Buffer.from(bytes).toString('hex')}`

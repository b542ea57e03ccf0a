import type { DecisionObject, GroundedSubject } from '../../../model/decisions/log-decision.ts'
import {
  addMembers,
  createGroup,
  deleteGroup,
  type GroupRow,
  lockGroup,
  membersOf,
  readGroup,
  removeMembers,
  renameGroup,
  touchGroup,
} from '../../../model/groups/groups.ts'
import { requireQuota } from '../../../model/quotas/require-quota.ts'
import { resolveOne } from '../../../model/references/resolve.ts'
import type { SolutionId } from '../../../schemas/domain/ids.ts'
import { MAX_CHARACTERS } from '../../../schemas/domain/limits.ts'
import { OWN_WORDS } from '../../../schemas/domain/strangers.ts'
import { DecisionBasis, recordDecision, requireDecision } from '../decisions/decision.ts'
import { AssayError, type Static, type Transaction, Type, type WriteContext, writeOperation } from '../define.ts'
import {
  type ActionFields,
  comment,
  decisionId,
  identifier,
  oneOf,
  requireActionFields,
  requireField,
  version,
} from '../parts/fields.ts'
import { resolveSolutions } from '../solutions/solution.ts'
import { solutionIds } from '../strategy/element.ts'
import { GroupShape, toGroup } from './lookup-group.ts'

const ACTIONS = ['create', 'rename', 'add', 'remove', 'delete'] as const
type Action = (typeof ACTIONS)[number]

const GROUNDS = ['comment', 'decision_id']
const CHANGE = [...GROUNDS, 'version']

const TAKES: Readonly<Record<Action, ActionFields>> = {
  create: { needs: ['name'], may: ['solution_ids', ...GROUNDS] },
  rename: { needs: ['group_id', 'name'], may: CHANGE },
  add: { needs: ['group_id', 'solution_ids'], may: CHANGE },
  remove: { needs: ['group_id', 'solution_ids'], may: CHANGE },
  delete: { needs: ['group_id'], may: CHANGE },
}

const input = Type.Object({
  action: oneOf(ACTIONS, { description: 'create, rename, add or remove solution_ids, delete.' }),
  group_id: Type.Optional(Type.With(identifier, { description: 'The group. A UUID or exact name.' })),
  name: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: MAX_CHARACTERS.name,
      pattern: '\\S',
      description: 'The name. Unique among groups.',
    }),
  ),
  solution_ids: solutionIds,
  comment,
  decision_id: decisionId,
  version,
})
type Input = Static<typeof input>

interface Changed {
  /** The present group; the last state of a deleted one. */
  readonly group: GroupRow
  readonly change: Readonly<Record<string, unknown>>
  /** Solutions that came in or went out, and the direction. */
  readonly moved: readonly SolutionId[]
  readonly into: boolean
}

const NOTHING = { moved: [], into: false }

const create = async (transaction: Transaction, { caller, services }: WriteContext, given: Input): Promise<Changed> => {
  await requireQuota(transaction, services.quotas, 'groups', caller.workspaceId)
  const name = requireField(given.name).trim()
  const solutions = await resolveSolutions(transaction, given.solution_ids)
  const id = await createGroup(transaction, caller.workspaceId, name, services.now())
  const moved = await addMembers(transaction, caller.workspaceId, id, solutions)
  return { group: await readGroup(transaction, id), change: { created: true, name }, moved, into: true }
}

const change = async (
  transaction: Transaction,
  { caller, services }: WriteContext,
  given: Input,
  action: Exclude<Action, 'create'>,
): Promise<Changed> => {
  const resolved = await resolveOne(transaction, 'group', requireField(given.group_id))
  const solutions = await resolveSolutions(transaction, given.solution_ids)
  const group = await lockGroup(transaction, resolved.id, given.version)
  if (action === 'delete') {
    const moved = await membersOf(transaction, group.id)
    await deleteGroup(transaction, group.id)
    return { group, change: { deleted: true, name: group.name }, moved, into: false }
  }
  if (action === 'rename') {
    const name = requireField(given.name).trim()
    if (name === group.name) throw nothingChanges(`The group is named "${name}" already.`)
    await renameGroup(transaction, group.id, name)
    await touchGroup(transaction, group.id, services.now())
    const renamed = { name: { from: group.name, to: name } }
    return { ...NOTHING, group: await readGroup(transaction, group.id), change: renamed }
  }
  const moved =
    action === 'add'
      ? await addMembers(transaction, caller.workspaceId, group.id, solutions)
      : await removeMembers(transaction, group.id, solutions)
  if (moved.length === 0) {
    throw nothingChanges(`"${group.name}" has ${action === 'add' ? 'all' : 'none'} of these Solutions.`)
  }
  await touchGroup(transaction, group.id, services.now())
  const changed = { [action === 'add' ? 'added_solution_ids' : 'removed_solution_ids']: moved }
  return { group: await readGroup(transaction, group.id), change: changed, moved, into: action === 'add' }
}

const nothingChanges = (why: string): AssayError =>
  new AssayError('invalid_input', `Nothing would change. ${why} service_lookup mode group shows what it has.`)

export const changeGroup = writeOperation({
  name: 'change_group',
  title: 'Change a group of Solutions',
  summary:
    'Creates, renames or deletes a named group of Solutions, or adds and removes Solutions. A Solution may be in several groups; deleting a group leaves its Solutions as they are. Only after a human Decision: comment or decision_id.',
  effect: 'destructive',
  units: 3,
  role: 'member',
  audience: 'everyone',
  input,
  output: Type.Object({
    group: GroupShape,
    changed: Type.Record(Type.String(), Type.Unknown(), { $comment: OWN_WORDS }),
    decision: DecisionBasis,
  }),
  apply: async (given, transaction, context) => {
    const { action } = given
    requireActionFields(given, TAKES[action])
    const grounds = await requireDecision(transaction, context.caller, given)
    const changed =
      action === 'create'
        ? await create(transaction, context, given)
        : await change(transaction, context, given, action)
    const { group, moved, into } = changed
    const objects: DecisionObject[] = [
      { kind: 'group', id: group.id, change: changed.change },
      ...moved.map(id => ({
        kind: 'solution' as const,
        id,
        change: { group: { from: into ? null : group.name, to: into ? group.name : null } },
      })),
    ]
    const subjects: GroundedSubject[] =
      moved.length === 0
        ? [{ kind: 'group', id: group.id }]
        : moved.map(id => ({ kind: 'solution', id, orIds: [group.id] }))
    const decision = await recordDecision(transaction, context, grounds, objects, subjects)
    return { data: { group: toGroup(group), changed: { ...changed.change }, decision } }
  },
})

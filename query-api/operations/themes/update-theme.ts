import { resolveOne } from '../../../model/references/resolve.ts'
import { lockWorkspaces } from '../../../model/signals/scope.ts'
import { saveAnswers } from '../../../model/themes/answers.ts'
import { readSettings, type SettledTheme, saveSettings } from '../../../model/themes/settings.ts'
import type { SignalId } from '../../../schemas/domain/ids.ts'
import { MAX_CHARACTERS, MAX_TRIAGED } from '../../../schemas/domain/limits.ts'
import { strangersText } from '../../../schemas/domain/strangers.ts'
import { reference, THEME_STANDINGS } from '../../../schemas/domain/vocabulary.ts'
import { AssayError, type Static, type Transaction, Type, throwDeleted, writeOperation } from '../define.ts'
import { identifier, oneOf, uuid } from '../parts/fields.ts'
import { lockRequestedSignals } from '../triage/locked-signals.ts'

const signals = (description: string) =>
  Type.Optional(Type.Array(identifier, { minItems: 1, maxItems: MAX_TRIAGED, uniqueItems: true, description }))

const input = Type.Object({
  theme_id: Type.With(identifier, { description: 'THM-2, UUID or exact name.' }),
  name: Type.Optional(Type.String({ minLength: 1, maxLength: MAX_CHARACTERS.name, pattern: '\\S' })),
  standing: Type.Optional(oneOf(THEME_STANDINGS, { description: 'Pinned ones come first.' })),
  signal_ids: signals('The Signals. Of a theme: those that belong to it.'),
  refused_signal_ids: signals('Signals that do not belong to it: they never come back into it.'),
})
type Input = Static<typeof input>

export const updateTheme = writeOperation({
  name: 'update_theme',
  title: 'Say something of a theme',
  summary:
    'Names, pins or hides a theme, says that it is not one thing, or which Signals belong to it and which do not. No computation undoes it: what is confirmed stays in the theme and pulls others, what is refused never comes back. It merges nothing and is no evidence: triage_signals with action gather makes its Signals evidence of one claim.',
  effect: 'write',
  units: 3,
  role: 'member',
  audience: 'everyone',
  unlisted: ['refused_signal_ids'],
  input,
  output: Type.Object({
    theme: Type.Object({
      id: uuid,
      reference: Type.String(),
      name: strangersText(),
      standing: oneOf(THEME_STANDINGS),
    }),
    answers: Type.Integer({ description: 'Signals of which something else is known now than before.' }),
  }),
  apply: async (given, transaction, { caller, services }) => {
    await lockWorkspaces(transaction, [caller.workspaceId], 'claims')
    const { id } = await resolveOne(transaction, 'theme', given.theme_id)
    const before = (await readSettings(transaction, id)) ?? throwDeleted('theme')
    const after = settingsOf(before, given)
    const isSettled = after.name === before.name && after.standing === before.standing
    if (!isSettled) await saveSettings(transaction, caller.workspaceId, before.id, after)
    const answers = await saveAnswers(transaction, caller.workspaceId, {
      themeId: before.id,
      ...(await answersIn(transaction, given.signal_ids, given.refused_signal_ids)),
      decisionId: null,
      at: services.now(),
    })
    const name = reference('theme', before.number)
    if (isSettled && answers === 0) throw nothingChanges(name)
    const theme = { id: before.id, reference: name, name: after.name ?? before.found_name, standing: after.standing }
    return { data: { theme, answers } }
  },
})

const settingsOf = (before: SettledTheme, { name, standing }: Input): Pick<SettledTheme, 'name' | 'standing'> => ({
  name: name?.trim() ?? before.name,
  standing: standing ?? before.standing,
})

/** The Signals that belong to a theme, and those that do not. Throws `invalid_input` for one that is in both. */
export const answersIn = async (
  transaction: Transaction,
  confirmed: readonly string[] = [],
  refused: readonly string[] = [],
): Promise<{ readonly confirmed: readonly SignalId[]; readonly refused: readonly SignalId[] }> => {
  const locked = await lockRequestedSignals(
    transaction,
    [...confirmed, ...refused].map(signal_id => ({ signal_id })),
  )
  const ids = locked.map(({ id }) => id)
  if (ids.length < confirmed.length + refused.length) {
    throw new AssayError(
      'invalid_input',
      'A Signal is named twice: it belongs to the theme, or it does not. Nothing was written.',
    )
  }
  return { confirmed: ids.slice(0, confirmed.length), refused: ids.slice(confirmed.length) }
}

const nothingChanges = (name: string): AssayError =>
  new AssayError(
    'invalid_input',
    `Nothing would change. ${name} is so already: give another name or standing, or Signals that nobody answered so.`,
  )

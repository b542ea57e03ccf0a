import { resolveItself, resolveOne } from '../../../model/references/resolve.ts'
import { lockWorkspaces } from '../../../model/signals/scope.ts'
import { saveAnswers } from '../../../model/themes/answers.ts'
import { joinThemes, splitTheme, takeThemesApart } from '../../../model/themes/one-or-two.ts'
import { readSettings, type SettledTheme, saveSettings } from '../../../model/themes/settings.ts'
import type { SignalId, ThemeId, WorkspaceId } from '../../../schemas/domain/ids.ts'
import { MAX_CHARACTERS, MAX_TRIAGED } from '../../../schemas/domain/limits.ts'
import { untrustedText } from '../../../schemas/domain/strangers.ts'
import { reference, THEME_STANDINGS } from '../../../schemas/domain/vocabulary.ts'
import { AssayError, type Static, type Transaction, Type, throwDeleted, writeOperation } from '../define.ts'
import { expected, requireExpected } from '../parts/expected.ts'
import { identifier, nullable, oneOf, uuid } from '../parts/fields.ts'
import { lockRequestedSignals } from '../triage/locked-signals.ts'

/** Themes that can be joined with one at once. */
const MAX_JOINED = 20

const signals = (description: string) =>
  Type.Optional(Type.Array(identifier, { minItems: 1, maxItems: MAX_TRIAGED, uniqueItems: true, description }))

const themes = (description: string) =>
  Type.Optional(Type.Array(identifier, { minItems: 1, maxItems: MAX_JOINED, uniqueItems: true, description }))

const input = Type.Object({
  theme_id: Type.With(identifier, { description: 'THM-2, UUID or exact name.' }),
  name: Type.Optional(Type.String({ minLength: 1, maxLength: MAX_CHARACTERS.name, pattern: '\\S' })),
  standing: Type.Optional(oneOf(THEME_STANDINGS, { description: 'Pinned ones come first.' })),
  signal_ids: signals('The Signals. Of a theme: those that belong to it.'),
  refused_signal_ids: signals('Signals that do not belong to it: they never come back into it.'),
  split_signal_ids: signals('Some of its Signals that are another thing: they become a theme of their own.'),
  same_theme_ids: themes('Themes that are one with it: what is in them counts as in it.'),
  other_theme_ids: themes('Themes that are one with it, and are themes of their own again.'),
  expected: expected({ name: Type.String(), standing: oneOf(THEME_STANDINGS) }),
})
type Input = Static<typeof input>

export const updateTheme = writeOperation({
  name: 'update_theme',
  title: 'Say something of a theme',
  summary:
    'Names, pins or hides a theme, says that it is not one thing, that it is two, or one with others, or which Signals belong to it and which do not. No computation undoes it: what is confirmed stays in the theme and pulls others, what is refused never comes back. It merges nothing and is no evidence: triage_signals with action gather makes its Signals evidence of one claim.',
  effect: 'write',
  units: 3,
  role: 'member',
  audience: 'everyone',
  omittedFields: ['refused_signal_ids', 'split_signal_ids', 'same_theme_ids', 'other_theme_ids', 'expected'],
  input,
  output: Type.Object({
    theme: Type.Object({
      id: uuid,
      reference: Type.String(),
      name: untrustedText(),
      standing: oneOf(THEME_STANDINGS),
    }),
    answers: Type.Integer({
      description: 'Signals of which something else is known now than before, and themes that are one with it or not.',
    }),
    new_theme: nullable(
      Type.Object(
        { id: uuid, reference: Type.String(), name: untrustedText() },
        { description: 'Of split_signal_ids.' },
      ),
    ),
  }),
  apply: async (given, transaction, { caller, services }) => {
    await lockWorkspaces(transaction, [caller.workspaceId], 'claims')
    const { id } = await resolveOne(transaction, 'theme', given.theme_id)
    const before = (await readSettings(transaction, id)) ?? throwDeleted('theme')
    requireExpected('The theme has changed since you read it.', given.expected, {
      name: before.name ?? before.found_name,
      standing: before.standing,
    })
    const after = settingsOf(before, given)
    const isSettled = after.name === before.name && after.standing === before.standing
    if (!isSettled) await saveSettings(transaction, caller.workspaceId, before.id, after)
    const at = services.now()
    const { workspaceId } = caller
    const answered = await saveAnswers(transaction, workspaceId, {
      themeId: before.id,
      ...(await answersIn(transaction, given.signal_ids, given.refused_signal_ids)),
      decisionId: null,
      at,
    })
    const joined = await joinedWith(transaction, workspaceId, before, given)
    const newTheme = await splitOff(transaction, workspaceId, before, { ids: given.split_signal_ids, at })
    const answers = answered + joined + (given.split_signal_ids?.length ?? 0)
    const name = reference('theme', before.number)
    if (isSettled && answers === 0) throw nothingChanges(name)
    const theme = { id: before.id, reference: name, name: after.name ?? before.found_name, standing: after.standing }
    return { data: { theme, answers, new_theme: newTheme } }
  },
})

const settingsOf = (before: SettledTheme, { name, standing }: Input): Pick<SettledTheme, 'name' | 'standing'> => ({
  name: name?.trim() ?? before.name,
  standing: standing ?? before.standing,
})

/** Stores which themes are joined with a theme and which are separate. Answers the number of changes. */
const joinedWith = async (
  transaction: Transaction,
  workspaceId: WorkspaceId,
  { id, number }: SettledTheme,
  { same_theme_ids: same = [], other_theme_ids: others = [] }: Input,
): Promise<number> => {
  const named = new Set<string>()
  for (const name of others) named.add((await resolveItself(transaction, 'theme', name)).id)
  const apart = await takeThemesApart(transaction, id, [...named])
  if (apart < named.size) {
    throw new AssayError(
      'invalid_input',
      `other_theme_ids names a theme that is not one with ${reference('theme', number)}; nothing was written. service_lookup mode theme lists those that are, as parts.`,
    )
  }
  const parts = new Set<ThemeId>()
  // A theme's reference resolves to a theme.
  for (const name of same) parts.add((await resolveOne(transaction, 'theme', name)).id as ThemeId)
  if (parts.has(id)) {
    throw new AssayError('invalid_input', 'same_theme_ids names the theme itself: name others. Nothing was written.')
  }
  return apart + (parts.size === 0 ? 0 : await joinThemes(transaction, workspaceId, id, [...parts]))
}

/** Makes a new theme of some signals of a theme. */
const splitOff = async (
  transaction: Transaction,
  workspaceId: WorkspaceId,
  theme: SettledTheme,
  { ids = [], at }: { readonly ids: readonly string[] | undefined; readonly at: Date },
) => {
  if (ids.length === 0) return null
  const signals = await lockRequestedSignals(
    transaction,
    ids.map(signal_id => ({ signal_id })),
  )
  const signalIds = signals.map(signal => signal.id)
  const made = await splitTheme(transaction, workspaceId, { theme: theme.id, signalIds, at })
  if (made === null) {
    throw new AssayError(
      'invalid_input',
      `split_signal_ids takes some of the Signals of ${reference('theme', theme.number)}, not all, and no others. Nothing was written. service_lookup mode theme lists them.`,
    )
  }
  const { number, ...named } = made
  return { ...named, reference: reference('theme', number) }
}

/** Signals that belong to a theme, and signals that do not. Throws `invalid_input` for a signal in both lists. */
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
    `Nothing would change. ${name} is so already: give another name or standing, or Signals or themes that nobody answered so.`,
  )

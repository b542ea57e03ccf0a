import { Anchor } from '@mantine/core'
import { Link } from 'react-router'
import type { Input, Output } from '../../api/operations.ts'
import { fromStored, t, word } from '../../language/messages.ts'
import { signalsQuestion } from '../../parts/evidence/signals-question.ts'
import { addressOfReference, When } from '../../parts/inline.tsx'
import classes from './changes.module.css'

type Section = Output<'list_changes'>['items'][number]
export type Kind = Section['kind']
type Change = Section['items'][number]
/** The time that was answered for, as instants. */
type Within = Pick<Output<'list_changes'>, 'from' | 'to'>
export type Time = NonNullable<Input<'list_changes'>['time']>

interface About {
  readonly title: string
  /** Where a change of it is shown; null for what the workspace has no page of. */
  readonly addressOf: (change: Change, within: Within) => string | null
}

const page = ({ reference }: Change): string | null => reference && addressOfReference(reference)
const document = (change: Change): string | null => {
  const solution = page(change)
  return solution && `${solution}/document`
}

/** What changes, in the order in which it is told. */
export const KINDS: Readonly<Record<Kind, About>> = {
  signals: { title: t('New signals'), addressOf: ({ title }, { from, to }) => signalsQuestion({ from, to }, title) },
  older_signals: { title: t('Older signals that came in'), addressOf: () => '/app/triage' },
  claims_appeared: { title: t('New claims'), addressOf: page },
  claims_moved: { title: t('Claims that changed their state'), addressOf: page },
  merges: { title: t('Merges'), addressOf: page },
  solutions: { title: t('Solutions created or moved'), addressOf: page },
  decisions: { title: t('Decisions'), addressOf: page },
  outcomes: { title: t('Outcomes'), addressOf: page },
  living_documents: { title: t('Living Documents'), addressOf: document },
  // A removed object has no page.
  removals: { title: t('Removed for good'), addressOf: () => null },
  dead_letters: { title: t('Dead letters'), addressOf: () => '/app/pipeline/dead-letters' },
}

const isKind = (text: string): text is Kind => Object.hasOwn(KINDS, text)

/** The kind that an address names; null for none. */
export const kindOf = (text: string): Kind | null => (isKind(text) ? text : null)

interface Props {
  readonly kind: Kind
  readonly within: Within
  readonly changes: readonly Change[]
}

/** Changes of one kind, the newest first, each leading to what changed. */
export const ChangeLines = ({ kind, within, changes }: Props) => (
  <ul className={classes.lines}>
    {changes.map((change, place) => {
      const { at, reference, title, message } = change
      const address = KINDS[kind].addressOf(change, within)
      return (
        // biome-ignore lint/suspicious/noArrayIndexKey: the list grows at its end, with an object twice in a moment
        <li key={`${reference} ${at} ${place}`}>
          {(reference ?? address) !== null && (
            <span className={classes.what}>
              {address === null ? (
                reference
              ) : (
                <Anchor component={Link} to={address} size="sm" {...(reference !== null && { ff: 'monospace' })}>
                  {reference ?? word(title)}
                </Anchor>
              )}
            </span>
          )}
          {(reference !== null || address === null) && <bdi className={classes.title}>{title}</bdi>}
          <bdi className={classes.says}>{fromStored(message)}</bdi>
          {at !== null && (
            <span className={classes.when}>
              <When at={at} />
            </span>
          )}
        </li>
      )
    })}
  </ul>
)

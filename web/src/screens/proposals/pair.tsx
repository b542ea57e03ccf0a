import { Badge, Group, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { CHANNELS } from '../../../../schemas/domain/vocabulary.ts'
import { counted, fromStored, t, word } from '../../language/messages.ts'
import { rich } from '../../language/rich.ts'
import { MarkedText } from '../../parts/evidence/marked-text.tsx'
import { differing, type Segment } from '../../parts/evidence/matching.ts'
import { RejectedCandidates } from '../../parts/evidence/rejected-candidates.tsx'
import { likelihood } from '../../parts/formats.ts'
import { Reference, When } from '../../parts/inline.tsx'
import { Judge } from '../../parts/merging.tsx'
import { SourceLink } from '../../parts/quote.tsx'
import type { MergePair } from './likely.ts'
import classes from './pair.module.css'

interface Props {
  readonly claim: MergePair['claim']
  readonly segments: readonly Segment[]
  /** The reference of the claim that lives on. */
  readonly into: string | undefined
  readonly livesOn: boolean
  /** What can be done about which of them lives on. */
  readonly children?: ReactNode
}

/** One side of a pair: what was said, by whom and how many, and what a merge would make of it. */
export const ClaimSide = ({ claim, segments, into, livesOn, children }: Props) => (
  <Stack gap="xs">
    <Group gap="sm">
      <Reference of={claim.reference} />
      {livesOn ? (
        <Badge variant="light" color="teal" tt="none" fw={550}>
          {t('stays')}
        </Badge>
      ) : (
        <Text size="xs" c="dimmed">
          {rich('is merged into {into}', { into })}
        </Text>
      )}
      {children}
    </Group>
    <div className={classes.words}>
      <MarkedText segments={segments} />
    </div>
    <SaidBy of={claim.said_by} />
  </Stack>
)

const isChannel = (source: string): boolean => CHANNELS.some(channel => channel === source)

type SaidBy = MergePair['claim']['said_by']

const SaidBy = ({ of: { signals, actors, speakers } }: { readonly of: SaidBy }) => (
  <div>
    {signals > 1 && (
      <Text size="xs" fw={550}>
        {t('{signals} from {actors}', { signals: counted(signals, 'signal'), actors: counted(actors, 'actor') })}
      </Text>
    )}
    <ul className="plain" aria-label={t('Who said it')}>
      {speakers.map(({ actor_name: name, source, source_url: address, occurred_at: at }, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two may say it at one moment under one name, and none moves
        <Text component="li" size="xs" c="dimmed" key={place}>
          <bdi>{name ?? t('without a name')}</bdi> · <bdi>{isChannel(source) ? word(source) : source}</bdi> ·{' '}
          <When at={at} />
          {address !== null && (
            <>
              {' · '}
              <SourceLink address={address} />
            </>
          )}
        </Text>
      ))}
      {signals > speakers.length && (
        <Text component="li" size="xs" c="dimmed">
          {t('and {number} earlier', { number: signals - speakers.length })}
        </Text>
      )}
    </ul>
  </div>
)

interface LikelyProps {
  readonly pair: MergePair
  /** Whether it says which two are meant, where there are more. */
  readonly named: boolean
}

/** The chance that the two are the same; nothing where a judge found it. A card has this one figure. */
export const Likely = ({ pair: { chance, found_by, claim, same_as }, named }: LikelyProps) =>
  chance === null || found_by !== null ? null : (
    <Badge component="span" variant="light" color="gray" tt="none" fw={550} mx="xs">
      <bdi>
        {named
          ? t('{reference} and {reference2}, {chance} likely', {
              reference: claim.reference,
              reference2: same_as,
              chance: likelihood(chance),
            })
          : t('{chance} likely', { chance: likelihood(chance) })}
      </bdi>
    </Badge>
  )

interface PairFactsProps {
  readonly pair: MergePair
  /** The reference of the claim on the other side. */
  readonly beside: string
  readonly sides: readonly [readonly Segment[], readonly Segment[]] | undefined
  readonly children?: ReactNode
}

/** What tells the two apart, why the pair was proposed and by whom, and what else was. */
export const PairFacts = ({ pair, beside, sides, children }: PairFactsProps) => (
  <Stack gap="xs" mt="sm">
    {sides !== undefined && <Differences sides={sides} names={[pair.claim.reference, beside]} />}
    {pair.found_by !== null && (
      <Text size="sm">
        <Text span inherit fw={550}>
          {rich('<judge>The judge</judge> {found_by} says that they are the same:', {
            judge: inner => <Judge>{inner}</Judge>,
            found_by: <bdi>{pair.found_by}</bdi>,
          })}{' '}
        </Text>
        <bdi className="anywhere">{fromStored(pair.reason)}</bdi>
      </Text>
    )}
    <Text size="xs" c="dimmed">
      {pair.found_by === null && (
        <>
          <bdi className="anywhere">{fromStored(pair.reason).replace(/\.$/, '')}</bdi>
          {' · '}
        </>
      )}
      {rich('proposed {when}', { when: <When at={pair.proposed_at} /> })}
    </Text>
    <RejectedCandidates of={`${pair.claim.reference} ${beside}`} rejected={pair.others} />
    <Group gap="sm">{children}</Group>
  </Stack>
)

const MAX_DIFFERENT = 6

interface DifferencesProps {
  readonly sides: readonly [readonly Segment[], readonly Segment[]]
  readonly names: readonly [string, string]
}

/** The numbers and names that one side alone has, in words. */
const Differences = ({ sides, names }: DifferencesProps) => {
  const differences = sides.map(differing)
  if (differences.every(words => words.length === 0)) return null
  return (
    <Text size="xs">
      {differences.map((words, side) =>
        words.length === 0 ? null : (
          <span key={names[side]}>
            {side === 1 && differences[0]?.length !== 0 && '; '}
            {rich('only {side} has {words}', {
              side: names[side],
              words: <bdi>{words.slice(0, MAX_DIFFERENT).join(', ')}</bdi>,
            })}
            {words.length > MAX_DIFFERENT && ` ${t('and {number} more', { number: words.length - MAX_DIFFERENT })}`}
          </span>
        ),
      )}
    </Text>
  )
}

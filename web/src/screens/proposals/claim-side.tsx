import { Badge, Group, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { t } from '../../language/messages.ts'
import { rich } from '../../language/rich.ts'
import { counted } from '../../parts/counted.ts'
import { MarkedText } from '../../parts/evidence/marked-text.tsx'
import type { Segment } from '../../parts/evidence/matching.ts'
import { Reference } from '../../parts/reference.tsx'
import { SourceLink } from '../../parts/source-link.tsx'
import { When } from '../../parts/when.tsx'
import classes from './claim-side.module.css'
import type { MergePair } from './use-merges.ts'

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
          {t('survives')}
        </Badge>
      ) : (
        <Text size="xs" c="dimmed">
          {rich('goes into {into}', { into })}
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

type SaidBy = MergePair['claim']['said_by']

const SaidBy = ({ of: { signals, actors, speakers } }: { readonly of: SaidBy }) => (
  <div>
    {signals > 1 && (
      <Text size="xs" fw={550}>
        {t('{signals} from {senders}', { signals: counted(signals, 'signal'), senders: counted(actors, 'sender') })}
      </Text>
    )}
    <ul className={classes.speakers} aria-label={t('Who said it')}>
      {speakers.map(({ actor_name: name, source, source_url: address, occurred_at: at }, place) => (
        // Two may have said it at one moment under one name, and none of them moves.
        // biome-ignore lint/suspicious/noArrayIndexKey: see above
        <Text component="li" size="xs" c="dimmed" key={place}>
          <bdi>{name ?? t('not named')}</bdi> · <bdi>{source}</bdi> · <When at={at} />
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
          {t('and {number} before', { number: signals - speakers.length })}
        </Text>
      )}
    </ul>
  </div>
)

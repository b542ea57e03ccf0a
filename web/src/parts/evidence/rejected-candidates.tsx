import { Stack, Text } from '@mantine/core'
import { counted, fromStored, t, word } from '../../language/messages.ts'
import { rich } from '../../language/rich.ts'
import { percent } from '../formats.ts'
import { Reference } from '../inline.tsx'
import classes from './rejected-candidates.module.css'

interface RejectedCandidate {
  readonly claim: string
  readonly verdict: 'refused' | 'undecided'
  readonly by: string | null
  readonly reason: string
  readonly similarity: number | null
}

interface Props {
  readonly rejected: readonly RejectedCandidate[]
}

/** The claims that something else was preferred to, folded away; nothing where there are none. */
export const RejectedCandidates = ({ rejected }: Props) =>
  rejected.length === 0 ? null : (
    <details className={classes.rejected}>
      <summary>{t('{candidates} that lost', { candidates: counted(rejected.length, 'candidate') })}</summary>
      <Stack component="ul" gap="xs" m={0} mt="xs" p={0}>
        {rejected.map(({ claim, verdict, by, reason, similarity }) => (
          <Text component="li" key={claim} size="xs" c="dimmed" className={classes.candidate}>
            {rich('{reference} {verdict}{more}, {similarity} alike: {reason}', {
              reference: <Reference of={claim} />,
              verdict: word(verdict),
              more: by !== null && <> {rich('by {by}', { by: <bdi>{by}</bdi> })}</>,
              similarity: percent(similarity),
              reason: <bdi>{fromStored(reason)}</bdi>,
            })}
          </Text>
        ))}
      </Stack>
    </details>
  )

import { Stack, Text } from '@mantine/core'
import { counted, percent } from '../counted.ts'
import { Reference } from '../reference.tsx'
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
      <summary>{counted(rejected.length, 'candidate')} that lost</summary>
      <Stack component="ul" gap="xs" m={0} mt="xs" p={0}>
        {rejected.map(({ claim, verdict, by, reason, similarity }) => (
          <Text component="li" key={claim} size="xs" c="dimmed" className={classes.candidate}>
            <Reference of={claim} /> {verdict}
            {by !== null && (
              <>
                {' by '}
                <bdi>{by}</bdi>
              </>
            )}
            , similarity {percent(similarity)}: <bdi>{reason}</bdi>
          </Text>
        ))}
      </Stack>
    </details>
  )

import { Stack, Text } from '@mantine/core'
import { Reference } from '../reference.tsx'
import { counted, score } from './counted.ts'
import classes from './lost-candidates.module.css'

interface Lost {
  readonly claim: string
  readonly verdict: 'refused' | 'undecided'
  readonly by: string | null
  readonly reason: string
  readonly similarity: number | null
}

interface Props {
  readonly lost: readonly Lost[]
}

/** The claims that something else was preferred to, folded away; nothing where there are none. */
export const LostCandidates = ({ lost }: Props) =>
  lost.length === 0 ? null : (
    <details className={classes.lost}>
      <summary>{counted(lost.length, 'candidate')} that lost</summary>
      <Stack component="ul" gap="xs" m={0} mt="xs" p={0}>
        {lost.map(({ claim, verdict, by, reason, similarity }) => (
          <Text component="li" key={claim} size="xs" c="dimmed" className={classes.candidate}>
            <Reference of={claim} /> {verdict}
            {by !== null && (
              <>
                {' by '}
                <bdi>{by}</bdi>
              </>
            )}
            , similarity {score(similarity)}: <bdi>{reason}</bdi>
          </Text>
        ))}
      </Stack>
    </details>
  )

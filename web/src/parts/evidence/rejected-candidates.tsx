import { Stack, Text } from '@mantine/core'
import { counted, fromStored, t, word } from '../../language/messages.ts'
import { rich } from '../../language/rich.ts'
import { Reference } from '../inline.tsx'
import classes from './rejected-candidates.module.css'

interface RejectedCandidate {
  readonly claim: string
  readonly verdict: 'refused' | 'undecided'
  readonly by: string | null
  readonly reason: string
}

interface Props {
  /** For what they were candidates, by its reference: a screen may list several. */
  readonly of: string
  readonly rejected: readonly RejectedCandidate[]
}

/** Claims that lost to a preferred one, folded; nothing without any. */
export const RejectedCandidates = ({ of, rejected }: Props) =>
  rejected.length === 0 ? null : (
    <details className={classes.rejected}>
      <summary aria-description={of}>
        {t('{candidates} not chosen', { candidates: counted(rejected.length, 'candidate') })}
      </summary>
      <Stack component="ul" gap="xs" m={0} mt="xs" p={0}>
        {rejected.map(({ claim, verdict, by, reason }) => (
          <Text component="li" key={claim} size="xs" c="dimmed" className={classes.candidate}>
            {rich('{reference} {verdict}{more}: {reason}', {
              reference: <Reference of={claim} />,
              verdict: word(verdict),
              more: by !== null && <> {rich('by {by}', { by: <bdi>{by}</bdi> })}</>,
              reason: <bdi>{fromStored(reason)}</bdi>,
            })}
          </Text>
        ))}
      </Stack>
    </details>
  )

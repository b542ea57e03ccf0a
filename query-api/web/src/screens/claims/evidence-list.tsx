import { Text } from '@mantine/core'
import classes from './evidence-list.module.css'
import { EvidencePiece } from './evidence-piece.tsx'
import type { Evidence } from './use-claim.ts'
import type { ClaimActs } from './use-claim-acts.ts'

interface Props {
  readonly evidence: readonly Evidence[]
  readonly mayAct: boolean
  readonly acts: ClaimActs
}

/** The signals behind a claim, the newest first, each with how it came there. */
export const EvidenceList = ({ evidence, mayAct, acts }: Props) =>
  evidence.length === 0 ? (
    <Text size="sm" c="dimmed">
      No signal is behind it.
    </Text>
  ) : (
    <ol className={classes.list} aria-label="Evidence">
      {evidence.map(piece => (
        <EvidencePiece
          key={piece.signal_id}
          piece={piece}
          busy={acts.busy}
          {...(mayAct && piece.attached_by === 'judge' && { onPullOut: () => acts.pullOut(piece.reference) })}
        />
      ))}
    </ol>
  )

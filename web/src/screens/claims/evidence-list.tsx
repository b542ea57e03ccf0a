import { Button, Group, Text } from '@mantine/core'
import { useState } from 'react'
import { counted } from '../../parts/evidence/counted.ts'
import classes from './evidence-list.module.css'
import { EvidencePiece } from './evidence-piece.tsx'
import type { Evidence } from './use-claim.ts'
import type { ClaimActs } from './use-claim-acts.ts'

interface Props {
  readonly evidence: readonly Evidence[]
  /** Of all pages. */
  readonly count: number
  readonly canEdit: boolean
  readonly acts: ClaimActs
}

/** What a person attached is undone there, and what came with a merged claim is pulled apart with it. */
const maySplitOff = ({ attached_by, came_with }: Evidence): boolean =>
  attached_by !== 'member' && came_with.length === 0

/** The signals behind a claim, the newest first, each with how it came there; some of them can be split off together. */
export const EvidenceList = ({ evidence, count, canEdit, acts }: Props) => {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const splitting = evidence.flatMap(({ reference }) => (chosen.has(reference) ? [reference] : []))
  const choose = (reference: string, on: boolean) => {
    const next = new Set(chosen)
    if (on) next.add(reference)
    else next.delete(reference)
    setChosen(next)
  }
  if (evidence.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        No signal is behind it.
      </Text>
    )
  }
  return (
    <>
      {splitting.length > 0 && (
        <Group justify="space-between" mb="sm" className={classes.chosen}>
          <Text size="sm">{counted(splitting.length, 'signal')} chosen</Text>
          <Button
            size="compact-sm"
            disabled={acts.busy || splitting.length === count}
            title={splitting.length === count ? 'Leave a part of the evidence here.' : undefined}
            onClick={async () => {
              await acts.split(splitting)
              setChosen(new Set())
            }}
          >
            Split off as a claim
          </Button>
        </Group>
      )}
      <ol className={classes.list} aria-label="Evidence">
        {evidence.map(piece => (
          <EvidencePiece
            key={piece.signal_id}
            piece={piece}
            busy={acts.busy}
            {...(canEdit && piece.attached_by === 'judge' && { onPullOut: () => acts.pullOut(piece.reference) })}
            {...(canEdit &&
              count > 1 &&
              maySplitOff(piece) && {
                chosen: chosen.has(piece.reference),
                onChoose: (on: boolean) => choose(piece.reference, on),
              })}
          />
        ))}
      </ol>
    </>
  )
}

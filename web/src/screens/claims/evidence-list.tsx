import { Button, Group, Stack, Text } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { counted, fromStored, t } from '../../language/messages.ts'
import { rich } from '../../language/rich.ts'
import { ClassificationBadge } from '../../parts/badges.tsx'
import { TellingButton } from '../../parts/controls.tsx'
import { ChooseBox, useRange } from '../../parts/evidence/choose-box.tsx'
import { RejectedCandidates } from '../../parts/evidence/rejected-candidates.tsx'
import { Repeats } from '../../parts/evidence/repeats.tsx'
import { Reference, When } from '../../parts/inline.tsx'
import { LiveStatus } from '../../parts/live-status.tsx'
import { Judge } from '../../parts/merging.tsx'
import { Quote } from '../../parts/quote.tsx'
import { StickyBar } from '../../parts/sticky-bar.tsx'
import classes from './evidence-list.module.css'
import type { ClaimActs, Evidence } from './use-claim.ts'

interface Props {
  readonly evidence: readonly Evidence[]
  /** Of all pages. */
  readonly count: number
  readonly canEdit: boolean
  readonly acts: ClaimActs
}

/** What a person attached is undone there, and what came with a merged claim is pulled apart with it. */
const maySplitOff = ({ attached_by, merged_from }: Evidence): boolean =>
  attached_by !== 'member' && merged_from.length === 0

/**
 * The signals behind a claim, the newest first, each with how it came there; some of them can be split off together.
 */
export const EvidenceList = ({ evidence, count, canEdit, acts }: Props) => {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const splitting = evidence.flatMap(({ reference }) => (chosen.has(reference) ? [reference] : []))
  const rangeOf = useRange(evidence.filter(maySplitOff).map(({ reference }) => reference))
  const choose = (pressed: string, isRange: boolean) => {
    const next = new Set(chosen)
    const change = chosen.has(pressed) ? 'delete' : 'add'
    for (const reference of rangeOf(pressed, isRange)) next[change](reference)
    setChosen(next)
  }
  if (evidence.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        {t('No signal is behind it.')}
      </Text>
    )
  }
  return (
    <>
      {splitting.length > 0 && (
        <StickyBar justify="space-between" mb="sm" px="sm" bg="var(--app-chosen)" bdrs="md">
          <LiveStatus>
            <Text size="sm">{t('{signals} chosen', { signals: counted(splitting.length, 'signal') })}</Text>
          </LiveStatus>
          <TellingButton
            size="compact-sm"
            loading={acts.busy}
            missing={splitting.length === count ? t('At least one signal must stay in this claim.') : null}
            onClick={async () => {
              await acts.split(splitting)
              setChosen(new Set())
            }}
          >
            {t('Split off as a claim')}
          </TellingButton>
        </StickyBar>
      )}
      <ol className="plain" aria-label={t('Evidence')}>
        {evidence.map(piece => (
          <EvidencePiece
            key={piece.signal_id}
            piece={piece}
            canEdit={canEdit}
            busy={acts.busy}
            {...(canEdit && piece.attached_by === 'judge' && { onPullOut: () => acts.pullOut(piece.reference) })}
            {...(canEdit &&
              count > 1 &&
              maySplitOff(piece) && {
                chosen: chosen.has(piece.reference),
                onChoose: (isRange: boolean) => choose(piece.reference, isRange),
              })}
          />
        ))}
      </ol>
    </>
  )
}

interface EvidencePieceProps {
  readonly piece: Evidence
  readonly canEdit: boolean
  readonly busy: boolean
  /** There for what the judge attached: anything else is taken back where it came from. */
  readonly onPullOut?: () => void
  /** There for what can be split off together with others. */
  readonly chosen?: boolean
  readonly onChoose?: (isRange: boolean) => void
}

/** Who attached it, as people know them: of the pipeline nobody knows the step and its version. */
const attachedBy = ({ attached_by, actor }: Pick<Evidence, 'attached_by' | 'actor'>): ReactNode => {
  if (attached_by === 'cluster') return t('the pipeline')
  if (attached_by !== 'judge') return <bdi>{actor}</bdi>
  return rich('<judge>the judge</judge> ({actor})', {
    judge: inner => <Judge>{inner}</Judge>,
    actor: <bdi>{actor}</bdi>,
  })
}

/** One signal behind a claim: what it says, and who or what attached it, when and why. */
const EvidencePiece = ({ piece, canEdit, busy, onPullOut, chosen = false, onChoose }: EvidencePieceProps) => (
  <li className={classes.piece} aria-label={piece.reference}>
    <Group gap="sm" mb="xs">
      {onChoose !== undefined && (
        <ChooseBox reference={piece.reference} text={piece.text} isChosen={chosen} onToggle={onChoose} />
      )}
      <Reference of={piece.reference} />
      <ClassificationBadge classification={piece.classification} />
      <Text size="xs" c="dimmed" component="div">
        {[piece.source, piece.actor_name].flatMap(name => (name === null ? [] : [<bdi key={name}>{name}</bdi>, ' · ']))}
        <When at={piece.occurred_at} received={piece.received_at} />
      </Text>
    </Group>
    <Quote text={piece.text} lead={piece.lead} most={400} />
    <Repeats of={piece.reference} count={piece.occurrences} newest={piece.repeats} canEdit={canEdit} />
    <Stack gap="xs" mt="xs">
      <Text size="xs" c="dimmed" component="div" className="anywhere">
        {rich('Attached by {attached_by}, {when}{more}: {reason}', {
          attached_by: attachedBy(piece),
          when: <When at={piece.attached_at} />,
          more:
            piece.merged_from.length > 0 &&
            t(', came with {merged_from}', { merged_from: piece.merged_from.join(', ') }),
          reason: <bdi>{fromStored(piece.reason)}</bdi>,
        })}
      </Text>
      <RejectedCandidates of={piece.reference} rejected={piece.rejected_candidates} />
      {onPullOut !== undefined && (
        <Group>
          <Button
            size="compact-xs"
            variant="default"
            disabled={busy}
            onClick={onPullOut}
            aria-label={t('Detach {reference}', { reference: piece.reference })}
            title={t('It starts a claim of its own, which stays apart from this one.')}
          >
            {t('Detach')}
          </Button>
        </Group>
      )}
    </Stack>
  </li>
)

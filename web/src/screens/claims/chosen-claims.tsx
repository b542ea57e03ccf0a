import { Button, Checkbox, Group, Select, Text } from '@mantine/core'
import { IconGitMerge, IconPlus } from '@tabler/icons-react'
import { type RefObject, useState } from 'react'
import { callOnce, type Input, useWrite } from '../../api/operations.ts'
import { counted, t } from '../../language/messages.ts'
import { ChangeForm, ChangeModal } from '../../parts/change-dialog.tsx'
import { ChooseBox } from '../../parts/evidence/choose-box.tsx'
import { useUndoableAction } from '../../parts/evidence/undo.ts'
import { type BegunClaim, begin } from '../../shell/begun.ts'
import { useKeys } from '../../shell/keys.ts'

/** A claim of a list; a search does not say how many signals are behind it. */
interface ListedClaim extends BegunClaim {
  readonly signals: number | null
}

export interface ChosenClaims {
  /** In the order in which they were chosen. */
  readonly claims: readonly ListedClaim[]
  readonly has: (reference: string) => boolean
  readonly toggle: (claim: ListedClaim) => void
  readonly clear: () => void
}

/** Claims that a person chooses in a list; they stay chosen while another search or filter shows others. */
export const useChosenClaims = (): ChosenClaims => {
  const [chosen, setChosen] = useState<ReadonlyMap<string, ListedClaim>>(new Map())
  return {
    claims: [...chosen.values()],
    has: reference => chosen.has(reference),
    toggle: claim => {
      const next = new Map(chosen)
      if (!next.delete(claim.reference)) next.set(claim.reference, claim)
      setChosen(next)
    },
    clear: () => setChosen(new Map()),
  }
}

/** `x` chooses the row that the focus is in, `s` begins a Solution of it, or of those that are chosen. */
export const useClaimKeys = (
  list: RefObject<HTMLElement | null>,
  items: readonly ListedClaim[],
  chosen: ChosenClaims | null,
): void => {
  const focused = () =>
    items[[...(list.current?.children ?? [])].findIndex(row => row.contains(document.activeElement))]
  const choose = () => {
    const claim = focused()
    if (claim !== undefined) chosen?.toggle(claim)
  }
  const solve = () => {
    const claim = focused()
    if (chosen !== null && chosen.claims.length > 0) begin({ what: 'solution', claims: chosen.claims })
    else if (claim !== undefined) begin({ what: 'solution', claims: [claim] })
  }
  useKeys(
    chosen === null
      ? []
      : [
          { key: 'x', does: t('Choose this one, or not'), run: choose },
          { key: 's', does: t('New Solution for the claim'), run: solve },
        ],
  )
}

interface ChooseClaimProps {
  readonly claim: ListedClaim
  readonly chosen: ChosenClaims
}

export const ChooseClaim = ({ claim, chosen }: ChooseClaimProps) => (
  <ChooseBox reference={claim.reference} isChosen={chosen.has(claim.reference)} onToggle={() => chosen.toggle(claim)} />
)

/** What can be done with the chosen claims: one claim made of them, or one Solution for all. */
export const ChosenBar = ({ chosen }: { readonly chosen: ChosenClaims }) => {
  const [isMerging, setMerging] = useState(false)
  const { act, busy, undoLast } = useUndoableAction()
  const { claims } = chosen
  const several = claims.length > 1
  useKeys([
    { key: 'z', does: t('Undo'), run: undoLast },
    ...(claims.length > 0 ? [{ key: 'Escape', does: t('Choose none'), run: chosen.clear }] : []),
    ...(several ? [{ key: 'm', does: t('Make one claim of the chosen ones'), run: () => setMerging(true) }] : []),
  ])
  const wasMerged = (answer: Merged, into: string) => {
    chosen.clear()
    void act({
      change: `merge into ${into}`,
      run: async () => answer,
      doneMessage: ({ data }) =>
        t('{claims} merged into {into}.', { claims: counted(data.merges.length, 'claim'), into }),
      undo: ({ meta }) => callOnce('undo_change', { change_id: meta.change_id ?? '' }),
    })
  }
  if (claims.length === 0) return null
  return (
    <Group gap="sm" py="xs" pos="sticky" top={0} bg="body" style={{ zIndex: 1 }}>
      <Text size="sm" fw={550} role="status">
        {t('{claims} chosen', { claims: counted(claims.length, 'claim') })}
      </Text>
      {several && (
        <Button
          size="xs"
          loading={busy}
          leftSection={<IconGitMerge size={14} aria-hidden />}
          onClick={() => setMerging(true)}
        >
          {t('Make one claim…')}
        </Button>
      )}
      <Button
        size="xs"
        variant="default"
        leftSection={<IconPlus size={14} aria-hidden />}
        onClick={() => begin({ what: 'solution', claims })}
      >
        {t('New Solution')}
      </Button>
      <Button size="xs" variant="subtle" color="gray" onClick={chosen.clear}>
        {t('Choose none')}
      </Button>
      {isMerging && several && <MergeDialog claims={claims} onMerged={wasMerged} onClose={() => setMerging(false)} />}
    </Group>
  )
}

type Merged = Awaited<ReturnType<typeof callOnce<'merge_claims'>>>

interface MergeDialogProps {
  readonly claims: readonly ListedClaim[]
  readonly onMerged: (answer: Merged, into: string) => void
  readonly onClose: () => void
}

/** Asks which of the claims the others go into: at first the one with most signals. */
const MergeDialog = ({ claims, onMerged, onClose }: MergeDialogProps) => {
  const [into, setInto] = useState(
    () => claims.reduce((most, claim) => ((claim.signals ?? 0) > (most.signals ?? 0) ? claim : most)).reference,
  )
  const [isLifting, setLifting] = useState(false)
  const merging = useWrite((input: Input<'merge_claims'>) => callOnce('merge_claims', input))
  const merge = () => {
    const [claim_id, ...further] = claims.map(({ reference }) => reference).filter(each => each !== into)
    if (claim_id === undefined) return
    const ids = { claim_id, into_claim_id: into, ...(further.length > 0 && { further_claim_ids: further }) }
    merging.mutate({ ...ids, lift_refusal: isLifting }, { onSuccess: answer => onMerged(answer, into) })
  }
  return (
    <ChangeModal opened change={merging} title={t('Make one claim')} size="lg" onClose={onClose}>
      <ChangeForm
        change={merging}
        failed={t('They were not merged')}
        action={t('Merge into {name}', { name: into })}
        takesFocus
        onCancel={onClose}
        onSubmit={merge}
      >
        <Select
          label={t('Which one stays')}
          description={t(
            'Evidence and Solutions of the others go over, and their references lead there. You can undo it.',
          )}
          data={claims.map(({ reference, title, signals }) => ({
            value: reference,
            label: `${reference} ${title}${signals === null ? '' : ` (${counted(signals, 'signal')})`}`,
          }))}
          allowDeselect={false}
          value={into}
          onChange={chosen => setInto(chosen ?? into)}
        />
        <Checkbox
          label={t('Also those that were kept apart until now')}
          checked={isLifting}
          onChange={event => setLifting(event.currentTarget.checked)}
        />
      </ChangeForm>
    </ChangeModal>
  )
}

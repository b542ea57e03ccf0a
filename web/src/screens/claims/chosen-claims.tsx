import { Button, Checkbox, Select, Text } from '@mantine/core'
import { IconGitMerge, IconPlus } from '@tabler/icons-react'
import { type RefObject, useState } from 'react'
import { MAX_MERGED, MAX_REFERENCES } from '../../../../schemas/domain/limits.ts'
import { type Answer, type Input, useWrite } from '../../api/operations.ts'
import { counted, t } from '../../language/messages.ts'
import { ChangeForm, ChangeModal } from '../../parts/change-dialog.tsx'
import { TellingButton } from '../../parts/controls.tsx'
import { ChooseBox } from '../../parts/evidence/choose-box.tsx'
import { undoChange, useUndoableAction } from '../../parts/evidence/undo.ts'
import { LiveStatus } from '../../parts/live-status.tsx'
import { extendTo, moveTo, NOTHING_SELECTED, type Selection, toggle } from '../../parts/selection.ts'
import { StickyBar } from '../../parts/sticky-bar.tsx'
import { type BegunClaim, begin } from '../../shell/begun.ts'
import { type KeyBinding, undoKeys, useKeys } from '../../shell/keys.ts'

interface ListedClaim extends BegunClaim {
  readonly signals: number
}

export interface ChosenClaims {
  /** In the order in which they were chosen. */
  readonly claims: readonly ListedClaim[]
  readonly has: (reference: string) => boolean
  readonly toggle: (claim: ListedClaim) => void
  /**
   * Chooses the claims of a list from where a range began to this one, and no others of the list. A range begins at
   * the claim at hand, if any, once the person has moved there.
   */
  readonly extend: (items: readonly ListedClaim[], to: ListedClaim, atHand?: ListedClaim) => void
  readonly chooseAll: (items: readonly ListedClaim[]) => void
  readonly clear: () => void
}

interface Chosen {
  /** By reference. */
  readonly choice: Selection
  /** The claims of every list that something was chosen in. */
  readonly known: ReadonlyMap<string, ListedClaim>
}

const NO_CLAIMS: Chosen = { choice: NOTHING_SELECTED, known: new Map() }

const referencesOf = (items: readonly ListedClaim[]): readonly string[] => items.map(({ reference }) => reference)

/** Claims that a person chooses in a list; they stay chosen while another search or filter shows others. */
export const useChosenClaims = (): ChosenClaims => {
  const [{ choice, known }, setChosen] = useState(NO_CLAIMS)
  const choose = (items: readonly ListedClaim[], next: (choice: Selection) => Selection) =>
    setChosen(before => ({
      choice: next(before.choice),
      known: new Map([...before.known, ...items.map(claim => [claim.reference, claim] as const)]),
    }))
  return {
    claims: [...choice.chosen].flatMap(reference => known.get(reference) ?? []),
    has: reference => choice.chosen.has(reference),
    toggle: claim => choose([claim], before => toggle(before, claim.reference)),
    extend: (items, to, atHand) =>
      choose(items, before => {
        const ids = referencesOf(items)
        const hasMoved = atHand !== undefined && atHand.reference !== before.cursor
        const continues = before.anchor !== null && ids.includes(before.anchor) && !hasMoved
        const from = continues ? before : moveTo(before, (atHand ?? to).reference)
        const range = extendTo(from, ids, to.reference)
        const elsewhere = [...before.chosen].filter(reference => !ids.includes(reference))
        return { ...range, chosen: new Set([...elsewhere, ...range.chosen]) }
      }),
    chooseAll: items =>
      choose(items, before => ({
        ...before,
        chosen: new Set([...before.chosen, ...referencesOf(items)].slice(0, MAX_MERGED)),
      })),
    clear: () => setChosen(NO_CLAIMS),
  }
}

/** The table of claims, in which its keys act. */
export const CLAIMS = 'claims'

/** `x` chooses the row that the focus is in, `s` begins a Solution of it, or of those that are chosen. */
export const useClaimKeys = (
  list: RefObject<HTMLElement | null>,
  items: readonly ListedClaim[],
  chosen: ChosenClaims | null,
): void => {
  const rows = () => [...(list.current?.children ?? [])]
  const placeOfFocus = () => rows().findIndex(row => row.contains(document.activeElement))
  const choose = () => {
    const claim = items[placeOfFocus()]
    if (claim !== undefined) chosen?.toggle(claim)
  }
  const extend = (by: 1 | -1) => () => {
    const place = placeOfFocus()
    const next = Math.max(0, Math.min(place + by, items.length - 1))
    const [atHand, to] = [items[place], items[next]]
    if (to !== undefined) chosen?.extend(items, to, atHand)
    rows()[next]?.querySelector('a')?.focus()
  }
  const solve = () => {
    const claim = items[placeOfFocus()]
    if (chosen !== null && chosen.claims.length > 0) beginSolutionOf(chosen)
    else if (claim !== undefined) begin({ what: 'solution', claims: [claim] })
  }
  const ranges: readonly KeyBinding[] = [
    { key: 'J', does: t('Choose the next one too'), run: extend(1) },
    { key: 'K', does: t('Choose the previous one too'), run: extend(-1) },
    { key: 'shift+ArrowDown', does: t('Choose the next one too'), run: extend(1) },
    { key: 'shift+ArrowUp', does: t('Choose the previous one too'), run: extend(-1) },
    {
      key: 'mod+a',
      does: t('Choose all, at most {most}', { most: MAX_MERGED }),
      run: () => chosen?.chooseAll(items),
    },
  ]
  useKeys(
    chosen === null
      ? []
      : [
          { key: 'x', does: t('Choose this one, or not'), run: choose },
          ...ranges.map(binding => ({ ...binding, list: `#${CLAIMS}` })),
          { key: 's', does: t('New Solution for the claim'), run: solve },
        ],
  )
}

/** Why so many claims cannot be had at once; null: they can. */
const tooMany = (chosen: number, most: number): string | null =>
  chosen > most ? t('At most {most} at once.', { most }) : null

const beginSolutionOf = ({ claims, clear }: ChosenClaims): void => {
  if (tooMany(claims.length, MAX_REFERENCES) === null) begin({ what: 'solution', claims, onCreated: clear })
}

interface ChooseClaimProps {
  readonly claim: ListedClaim
  /** The list that it is in. */
  readonly items: readonly ListedClaim[]
  readonly chosen: ChosenClaims
}

export const ChooseClaim = ({ claim, items, chosen }: ChooseClaimProps) => (
  <ChooseBox
    reference={claim.reference}
    text={claim.title}
    isChosen={chosen.has(claim.reference)}
    onToggle={isRange => (isRange ? chosen.extend(items, claim) : chosen.toggle(claim))}
  />
)

/** What can be done with the chosen claims: one claim made of them, or one Solution for all. */
export const ChosenBar = ({ chosen }: { readonly chosen: ChosenClaims }) => {
  // The claims that the dialog was opened for: others that are chosen later open nothing.
  const [merged, setMerged] = useState<readonly ListedClaim[] | null>(null)
  const { act, busy, undoLast } = useUndoableAction()
  const { claims } = chosen
  const several = claims.length > 1
  const merge = () => tooMany(claims.length, MAX_MERGED) === null && setMerged(claims)
  useKeys([
    ...undoKeys(undoLast),
    ...(claims.length > 0 ? [{ key: 'Escape', does: t('Choose none'), run: chosen.clear }] : []),
    ...(several ? [{ key: 'm', does: t('Make one claim of the chosen ones'), run: merge }] : []),
  ])
  const wasMerged = (answer: Merged, into: string) => {
    setMerged(null)
    chosen.clear()
    void act({
      change: `merge into ${into}`,
      run: async () => answer,
      doneMessage: ({ data }) =>
        t('{claims} merged into {into}.', { claims: counted(data.merges.length, 'claim'), into }),
      undo: undoChange,
    })
  }
  if (claims.length === 0) return null
  return (
    <StickyBar>
      <LiveStatus>
        <Text size="sm" fw={550}>
          {t('{claims} chosen', { claims: counted(claims.length, 'claim') })}
        </Text>
      </LiveStatus>
      {several && (
        <TellingButton
          size="xs"
          loading={busy}
          missing={tooMany(claims.length, MAX_MERGED)}
          leftSection={<IconGitMerge size={14} aria-hidden />}
          onClick={merge}
        >
          {t('Make one claim…')}
        </TellingButton>
      )}
      <TellingButton
        size="xs"
        variant="default"
        missing={tooMany(claims.length, MAX_REFERENCES)}
        leftSection={<IconPlus size={14} aria-hidden />}
        onClick={() => beginSolutionOf(chosen)}
      >
        {t('New Solution')}
      </TellingButton>
      <Button size="xs" variant="subtle" color="gray" onClick={chosen.clear}>
        {t('Choose none')}
      </Button>
      {merged !== null && <MergeDialog claims={merged} onMerged={wasMerged} onClose={() => setMerged(null)} />}
    </StickyBar>
  )
}

type Merged = Answer<'merge_claims'>

interface MergeDialogProps {
  readonly claims: readonly ListedClaim[]
  readonly onMerged: (answer: Merged, into: string) => void
  readonly onClose: () => void
}

/** Asks which of the claims the others go into: at first the one with most signals. */
const MergeDialog = ({ claims, onMerged, onClose }: MergeDialogProps) => {
  const [into, setInto] = useState(
    () => claims.reduce((most, claim) => (claim.signals > most.signals ? claim : most)).reference,
  )
  const [isLifting, setLifting] = useState(false)
  const merging = useWrite((input: Input<'merge_claims'>, once) => once('merge_claims', input))
  const merge = () => {
    const [claim_id, ...further] = claims.map(({ reference }) => reference).filter(each => each !== into)
    if (claim_id === undefined) return
    const ids = { claim_id, into_claim_id: into, ...(further.length > 0 && { further_claim_ids: further }) }
    merging.mutate({ ...ids, lift_refusal: isLifting }, { onSuccess: answer => onMerged(answer, into) })
  }
  return (
    <ChangeModal opened change={merging} form={null} title={t('Make one claim')} size="lg" onClose={onClose}>
      <ChangeForm
        change={merging}
        form={null}
        failed={t('They were not merged')}
        action={t('Merge into {name}', { name: into })}
        takesFocus
        onCancel={onClose}
        onSubmit={merge}
      >
        <Select
          label={t('Which one stays')}
          description={t(
            'The claim that stays gets the evidence and Solutions of the others, and their references lead to it. You can undo it.',
          )}
          data={claims.map(({ reference, title, signals }) => ({
            value: reference,
            label: `${reference} ${title} (${counted(signals, 'signal')})`,
          }))}
          allowDeselect={false}
          value={into}
          onChange={chosen => setInto(chosen ?? into)}
        />
        <Checkbox
          label={t('Merge them even if someone said that they are not the same')}
          checked={isLifting}
          onChange={event => setLifting(event.currentTarget.checked)}
        />
      </ChangeForm>
    </ChangeModal>
  )
}

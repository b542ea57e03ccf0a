import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { callOnce, type Input, operationKey } from '../../api/operations.ts'
import { createWriteQueue } from '../../api/write-queue.ts'
import { plural, t } from '../../language/messages.ts'
import { notifyFailed } from '../../shell/notify.tsx'
import { likelyClaims, type MergeGroup, type MergePair } from './likely.ts'

type GroupClaims = Pick<MergeGroup, 'survivor' | 'pairs'>
type GroupClaim = MergeGroup['survivor']

/** The claims of a group: the oldest comes first. */
export const claimsOf = ({ survivor, pairs }: GroupClaims) => [survivor, ...pairs.map(({ claim }) => claim)]

/** The claim that a pair's claim may be the same as; the oldest where that one is decided on already. */
export const besideOf = (group: GroupClaims, { same_as }: MergePair): MergeGroup['survivor'] =>
  claimsOf(group).find(({ reference }) => reference === same_as) ?? group.survivor

/** Whether it is ticked at first: of two claims both are, of several those that are likely the same. */
export const isLikely = ({ survivor, pairs }: GroupClaims, { reference }: GroupClaim): boolean =>
  pairs.length === 1 || likelyClaims(survivor.reference, pairs).has(reference)

interface Done {
  readonly message: string
  readonly pairs: readonly string[]
  /** The group to come back to; null of many. */
  readonly survivorId: string | null
  /** What takes it back. */
  readonly change: string
}

/** What else left the list comes back with an undo. */
const leftWith = (pairs: number): string =>
  plural(pairs, '{number} other pair left the list with it.', '{number} other pairs left the list with it.')

/** Of the page: a screen that is left goes on deciding what was asked for. */
const inTurn = createWriteQueue()

const READS = ['list_merge_groups', 'lookup_proposals'] as const
const SOON_MS = 1000

const withAll = (some: ReadonlySet<string>, more: readonly string[]) => new Set([...some, ...more])
const difference = (some: ReadonlySet<string>, less: readonly string[]) =>
  new Set([...some].filter(each => !less.includes(each)))

/**
 * Deciding on pairs, one decision after the other in the order of the keys, while the list is already as it will be.
 * What the service refuses comes back, and why is shown.
 */
export const useMerges = (onBack: (survivorId: string) => void) => {
  const queries = useQueryClient()
  const [decided, setDecided] = useState<ReadonlySet<string>>(new Set())
  /** Claims that a person ticked or unticked, against what was likely. */
  const [turned, setTurned] = useState<ReadonlySet<string>>(new Set())
  const [chosen, setChosen] = useState<ReadonlyMap<string, string>>(new Map())
  const [status, setStatus] = useState('')
  const [done, setDone] = useState<readonly Done[]>([])
  const history = useRef<readonly Done[]>([])
  const due = useRef<ReturnType<typeof setTimeout>>(null)

  const remember = (now: readonly Done[]) => {
    history.current = now
    setDone(now)
  }
  /** The list is read anew; what other screens have read is old, and is read anew when they are opened. */
  const readAgain = async () => {
    await queries.invalidateQueries({ refetchType: 'none' })
    await Promise.all(READS.map(name => queries.invalidateQueries({ queryKey: operationKey(name) })))
  }
  /** Once for all decisions that come close behind each other: the list is as it will be already. */
  const readAgainSoon = () => {
    due.current ??= setTimeout(() => {
      due.current = null
      void readAgain()
    }, SOON_MS)
  }

  /** Answers once it is done; rejects, with the pairs back in the list, when it was refused. */
  const settle = async (
    input: Input<'triage'>,
    { pairs, message, survivorId }: Omit<Done, 'change'>,
  ): Promise<void> => {
    setDecided(now => withAll(now, pairs))
    setStatus(message)
    try {
      const { data, meta } = await inTurn(() => callOnce('triage', input, { keepalive: true }), { isFree: true })
      const change = meta.change_id ?? null
      if (data.also_left > 0) setStatus(`${message} ${leftWith(data.also_left)}`)
      if (change !== null) remember([...history.current, { message, pairs, survivorId, change }])
    } catch (error) {
      setDecided(now => difference(now, pairs))
      setStatus('')
      void readAgain()
      throw error
    }
    readAgainSoon()
  }

  const undo = () => {
    const takeBack = async () => {
      const last = history.current.at(-1)
      if (last === undefined) return setStatus(t('There is nothing to undo.'))
      await callOnce('undo_change', { change_id: last.change }, { asks: true })
      remember(history.current.filter(each => each !== last))
      await readAgain()
      setDecided(now => difference(now, last.pairs))
      if (last.survivorId !== null) onBack(last.survivorId)
      setStatus(t('Undone: {message}', { message: last.message }))
    }
    return inTurn(takeBack, { isFree: false }).catch(notifyFailed)
  }

  /** What is left of a group is decided on together again. */
  const settleGroup = (group: MergeGroup, input: Input<'triage'>, pairs: readonly string[], message: string): void => {
    const all = claimsOf(group).map(({ id }) => placeOf(group, id))
    setTurned(now => difference(now, all))
    settle(input, { pairs, message, survivorId: group.survivor.id }).catch(notifyFailed)
  }

  const isIn = (group: MergeGroup, { id }: Pick<GroupClaim, 'id'>): boolean => {
    const found = claimsOf(group).find(claim => claim.id === id)
    return (found !== undefined && isLikely(group, found)) !== turned.has(placeOf(group, id))
  }
  /** The claims that are decided on together, and the pairs between them. */
  const keptOf = (group: MergeGroup) => {
    const claims = claimsOf(group).filter(claim => isIn(group, claim))
    const names = new Set(claims.map(({ reference }) => reference))
    const pairs = group.pairs.map(({ id, claim, same_as }) => ({ id, claim: claim.reference, same_as }))
    const ids = [...pairs, ...group.more_pairs]
      .filter(({ claim, same_as }) => names.has(claim) && names.has(same_as))
      .map(({ id }) => id)
    return { claims, ids }
  }

  /** Where no two are ticked and nobody unticked one, it is said of the whole group. */
  const isOfAll = (group: MergeGroup): boolean =>
    keptOf(group).claims.length < 2 && claimsOf(group).every(({ id }) => !turned.has(placeOf(group, id)))
  const refusedOf = (group: MergeGroup) =>
    isOfAll(group)
      ? { claims: claimsOf(group), ids: [...group.pairs, ...group.more_pairs].map(({ id }) => id) }
      : keptOf(group)

  /** The chosen claim, or the oldest of those that are decided on. */
  const livesOn = (group: MergeGroup): string => {
    const { claims } = keptOf(group)
    const wanted = chosen.get(group.survivor.id)
    return (claims.find(({ id }) => id === wanted) ?? claims[0] ?? group.survivor).id
  }

  return {
    status,
    readAgainSoon,
    canUndo: done.length > 0,
    undo,
    livesOn,
    isIn,
    /** How many of its claims are decided on together. */
    manyIn: (group: MergeGroup): number => keptOf(group).claims.length,
    /** How many of its claims would be kept apart. */
    manyRefused: (group: MergeGroup): number => refusedOf(group).claims.length,
    /** The group without what was decided here; null where nothing is left of it. */
    leftOf: (group: MergeGroup): MergeGroup | null => {
      const pairs = group.pairs.filter(({ id }) => !decided.has(id))
      const more = group.more_pairs.filter(({ id }) => !decided.has(id))
      const removed = group.pairs.length - pairs.length + group.more_pairs.length - more.length
      if (removed === 0) return group
      return pairs.length === 0 ? null : { ...group, pairs, more_pairs: more, count: group.count - removed }
    },
    /** Takes a claim out of what will be decided together, or puts it back. */
    toggle: (group: MergeGroup, { id }: Pick<GroupClaim, 'id'>) => {
      const place = placeOf(group, id)
      setTurned(now => (now.has(place) ? difference(now, [place]) : withAll(now, [place])))
    },
    /** The next claim of the group lives on instead. */
    swap: (group: MergeGroup) => {
      const { claims } = keptOf(group)
      const position = claims.findIndex(({ id }) => id === livesOn(group))
      const next = claims[(position + 1) % claims.length]
      if (next === undefined) return
      setChosen(new Map(chosen).set(group.survivor.id, next.id))
      setStatus(t('{reference} will stay.', { reference: next.reference }))
    },
    merge: (group: MergeGroup) => {
      const { claims, ids } = keptOf(group)
      if (ids.length === 0) return setStatus(NONE_IN)
      const into = livesOn(group)
      const merged = claims.filter(({ id }) => id !== into)
      const input = { action: 'confirm_merge', proposal_ids: ids, survivor_id: into } as const
      const message = t('{merged} merged into {group}.', {
        merged: listed(merged.map(({ reference }) => reference)),
        group: claims.find(({ id }) => id === into)?.reference ?? '',
      })
      settleGroup(group, input, ids, message)
    },
    refuse: (group: MergeGroup) => {
      const { claims, ids } = refusedOf(group)
      const [first, ...others] = claims
      if (first === undefined || ids.length === 0) return setStatus(NONE_IN)
      const message = t('{apart} kept apart from {reference}: not proposed again.', {
        apart: listed(others.map(({ reference }) => reference)),
        reference: first.reference,
      })
      const input = { action: 'refuse_merge', proposal_ids: ids } as const
      settleGroup(group, input, ids, message)
    },
    /** Many pairs as one decision: the oldest claim of each group lives on. */
    mergeAll: (ids: readonly string[], message: string) =>
      settle({ action: 'confirm_merge', proposal_ids: [...ids] }, { pairs: ids, message, survivorId: null }),
  }
}

export type Merges = ReturnType<typeof useMerges>

/** A claim in a group: it may be in another one too. */
const placeOf = ({ survivor }: MergeGroup, claimId: string): string => `${survivor.id} ${claimId}`

const NONE_IN = t('Fewer than two of these claims are left to decide on: put one back, or skip the group.')
const MAX_NAMED = 4

const listed = (references: readonly string[]): string =>
  references.length <= MAX_NAMED ? references.join(', ') : t('{references} claims', { references: references.length })

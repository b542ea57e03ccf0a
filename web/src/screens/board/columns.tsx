import { useRef, useState } from 'react'
import { SOLUTION_STATES, type SolutionState } from '../../../../schemas/domain/vocabulary.ts'
import { useLiveChange } from '../../api/live-connection.ts'
import { useCanEdit } from '../../api/operations.ts'
import { t } from '../../language/messages.ts'
import { MovingHelp, OF_ITEM, useItemKeys } from '../../parts/moving/movable.tsx'
import { useMoving } from '../../parts/moving/use-moving.ts'
import { ErrorState } from '../../parts/states.tsx'
import { undoKeys, useKeys } from '../../shell/keys.ts'
import { HandOffDialog, MoveDialog } from '../solutions/later-dialogs.tsx'
import { Column } from './column.tsx'
import classes from './columns.module.css'
import { type BoardCard, type BoardFilter, useColumns } from './use-columns.ts'
import { type OnItsWay, useAsksReasons, useMoveSolution } from './use-move-solution.ts'

/** The Solutions by state, each moved to another one by hand. */
export const Columns = ({ filter }: { readonly filter: BoardFilter }) => {
  const columns = useColumns(filter)
  // What must be asked before a move: where it was handed off, or, where the workspace wants one, a reason.
  const [toConfirm, setToConfirm] = useState<OnItsWay | null>(null)
  const root = useRef<HTMLDivElement>(null)
  const canEdit = useCanEdit()
  const asksReasons = useAsksReasons()
  const { moveTo, onTheirWay, undoLast } = useMoveSolution()
  useLiveChange(['decisions', 'discussions'], () => readAgain())
  const stored = new Map(columns.flatMap(({ query }) => query.items.map(card => [card.id, card] as const)))
  const shown = toConfirm === null ? onTheirWay : [...onTheirWay, toConfirm]
  const cardsOf = (state: SolutionState): readonly BoardCard[] => {
    const own = columns.find(column => column.state === state)?.query.items ?? []
    const leave = shown.filter(({ to }) => to !== state).map(({ card }) => card.id)
    // Its columns are read anew one by one: between two of them a card is in none.
    const come = shown.filter(({ card, to }) => to === state && !isIn(own, card.id))
    return [...come.map(({ card }) => stored.get(card.id) ?? card), ...own.filter(({ id }) => !leave.includes(id))]
  }
  const lists = SOLUTION_STATES.map(id => ({ id, items: cardsOf(id).map(card => card.id) }))
  const mayMove = (id: string, to: string): boolean =>
    stored.get(id)?.transitions.some(transition => transition.to === to) === true

  const begin = async (card: BoardCard, to: SolutionState) => {
    const mover = card.transitions.find(transition => transition.to === to)?.made_by
    if (mover === undefined) return
    if (mover === 'handoff' || (await asksReasons())) setToConfirm({ card, to })
    else await moveTo(card, to)
  }
  const { move, isLeft, ...moving } = useMoving({
    lists,
    root,
    accepts: mayMove,
    onDrop: ({ id, from, to }) => {
      const card = stored.get(id)
      const state = SOLUTION_STATES.find(known => known === to.list)
      if (card !== undefined && state !== undefined && from.list !== to.list) void begin(card, state)
    },
  })
  const { focused, setFocused } = useItemKeys({
    ids: lists.flatMap(({ items }) => items),
    one: t('Solution'),
    canMove: canEdit,
  })
  const openMenu = () =>
    root.current?.querySelector<HTMLElement>(`[data-movable="${focused}"] [aria-haspopup=menu]`)?.click()
  useKeys(
    canEdit ? [{ key: 's', does: t('Move to another state'), ...OF_ITEM, run: openMenu }, ...undoKeys(undoLast)] : [],
  )
  const lifted = new Set(move === null ? shown.map(({ card }) => card.id) : [move.id])
  const close = () => setToConfirm(null)
  const error = columns.find(({ query }) => query.error !== null)?.query.error
  const readAgain = () => {
    for (const { query } of columns) void query.refetch()
  }
  if (error !== undefined && error !== null) return <ErrorState error={error} retry={readAgain} />
  return (
    <section
      className={classes.columns}
      ref={root}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard, also while no card is there
      tabIndex={0}
      data-moving={move !== null || undefined}
      aria-label={t('Columns')}
    >
      {columns.map(({ state, query }) => {
        const isHere = move?.from.list === state
        const come = onTheirWay.filter(({ to }) => to === state)
        const were = onTheirWay.filter(({ card }) => isIn(query.items, card.id))
        return (
          <Column
            key={state}
            state={state}
            query={query}
            cards={cardsOf(state)}
            count={(query.first?.count ?? 0) + come.length - were.length}
            lifted={lifted}
            isOver={move !== null && move.to.list === state && !isHere}
            closedFrom={move !== null && !isHere && !mayMove(move.id, state) ? move.from.list : null}
            moving={canEdit ? moving : null}
            onMove={begin}
            onFocus={setFocused}
          />
        )
      })}
      <MovingHelp isLeft={isLeft} place={move && `${stored.get(move.id)?.reference}: ${move.to.list}.`} />
      {toConfirm !== null &&
        (toConfirm.to === 'In Review' ? (
          <HandOffDialog solution={toConfirm.card} onClose={close} />
        ) : (
          <MoveDialog solution={toConfirm.card} to={toConfirm.to} onClose={close} />
        ))}
    </section>
  )
}

const isIn = (cards: readonly BoardCard[], id: string): boolean => cards.some(card => card.id === id)

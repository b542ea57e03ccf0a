import { VisuallyHidden } from '@mantine/core'
import { Fragment, useRef } from 'react'
import classes from './board.module.css'
import { type BoardItem, BoardRow } from './board-row.tsx'
import { gapOf, moved } from './plan-drop.ts'
import { type Move, useMoving } from './use-moving.ts'

interface Props {
  readonly items: readonly BoardItem[]
  readonly mayAct: boolean
  /** Dropped, and not decided yet: it is shown where it is to stand. */
  readonly undecided: Move | null
  readonly onDrop: (move: Move) => void
  readonly onFocus: (id: string) => void
  readonly onWhy: (item: BoardItem) => void
  readonly onBoost: (item: BoardItem) => void
}

/** The Solutions in board order: first those that people ranked, then the others by their evidence. */
export const BoardList = ({ items, mayAct, undecided, onDrop, onFocus, onWhy, onBoost }: Props) => {
  const list = useRef<HTMLTableElement>(null)
  const ids = items.map(({ id }) => id)
  const { move, handleOf } = useMoving({ ids, list, onDrop })
  const shown = undecided === null ? items : moved(items, undecided.from, undecided.to)
  const highest = Math.max(...items.map(({ score = 0 }) => score))
  const gap = move === null || move.to === move.from ? null : gapOf(move.from, move.to)
  const firstByEvidence = shown.findIndex(({ manual_rank }) => manual_rank === null)
  return (
    <>
      <table className={classes.board} ref={list} data-moving={move !== null || undefined}>
        <Head mayAct={mayAct} />
        <tbody>
          {shown.map((item, place) => (
            <Fragment key={item.id}>
              {place === firstByEvidence && undecided === null && <Division after={place} />}
              <BoardRow
                item={item}
                place={place + 1}
                highest={highest}
                handle={mayAct ? handleOf(item.id) : null}
                lifted={move?.id === item.id}
                line={gap === place ? 'above' : gap === items.length && place === gap - 1 ? 'below' : null}
                undecided={undecided?.id === item.id}
                onFocus={() => onFocus(item.id)}
                onWhy={() => onWhy(item)}
                onBoost={mayAct ? () => onBoost(item) : null}
              />
            </Fragment>
          ))}
        </tbody>
      </table>
      <VisuallyHidden id="board-moving">
        Space lifts it. Then the arrow keys move it, Space puts it down, Escape leaves it where it was.
      </VisuallyHidden>
      <VisuallyHidden role="status">
        {move !== null && `${items[move.from]?.reference}: place ${move.to + 1} of ${items.length}.`}
      </VisuallyHidden>
    </>
  )
}

const Head = ({ mayAct }: { readonly mayAct: boolean }) => (
  <thead>
    <tr>
      <th aria-label={mayAct ? 'Move' : 'Not movable'} className={classes.handleCell} />
      <th scope="col" className={classes.place}>
        Place
      </th>
      <th scope="col">Solution</th>
      <th scope="col" className={classes.state}>
        State
      </th>
      <th scope="col" className={classes.number} data-wide>
        Actors
      </th>
      <th scope="col" className={classes.number} data-wide>
        Evidence
      </th>
      <th scope="col" className={classes.number} data-wide>
        Boost
      </th>
      <th scope="col" className={classes.score}>
        Why here
      </th>
    </tr>
  </thead>
)

/** Where what people ranked ends, if anything is, and what orders the rest. */
const Division = ({ after }: { readonly after: number }) =>
  after === 0 ? null : (
    <tr className={classes.division}>
      <th scope="rowgroup" colSpan={8}>
        From here on by evidence × boost
      </th>
    </tr>
  )

import { Fragment, useRef } from 'react'
import { t } from '../../language/messages.ts'
import { lineAt } from '../../parts/moving/list-positions.ts'
import { MovingHelp } from '../../parts/moving/movable.tsx'
import { useMoving } from '../../parts/moving/use-moving.ts'
import classes from './board.module.css'
import { type BoardItem, BoardRow } from './board-row.tsx'
import { moved } from './plan-drop.ts'

/** A Solution that is put somewhere else on the board. */
export interface Move {
  readonly id: string
  readonly from: number
  /** Its place among the others. */
  readonly to: number
}

interface Props {
  readonly items: readonly BoardItem[]
  readonly canEdit: boolean
  /** Dropped, and not decided yet: it is shown where it is to stand. */
  readonly undecided: Move | null
  readonly onDrop: (move: Move) => void
  readonly onFocus: (id: string) => void
  readonly onWhy: (item: BoardItem) => void
  readonly onBoost: (item: BoardItem) => void
}

/** The Solutions in board order: first those that people ranked, then the others by their evidence. */
export const BoardList = ({ items, canEdit, undecided, onDrop, onFocus, onWhy, onBoost }: Props) => {
  const list = useRef<HTMLTableElement>(null)
  const board = { id: 'board', items: items.map(({ id }) => id) }
  const { move, handleOf, itemOf } = useMoving({
    lists: [board],
    root: list,
    onDrop: ({ id, from, to }) => onDrop({ id, from: from.position, to: to.position }),
  })
  const shown = undecided === null ? items : moved(items, undecided.from, undecided.to)
  const highest = Math.max(...items.map(({ score = 0 }) => score))
  const firstByEvidence = shown.findIndex(({ manual_rank }) => manual_rank === null)
  return (
    <>
      <table className={classes.board} ref={list} data-moving={move !== null || undefined}>
        <Head canEdit={canEdit} />
        <tbody data-list={board.id}>
          {shown.map((item, position) => (
            <Fragment key={item.id}>
              {position === firstByEvidence && undecided === null && <Division after={position} />}
              <BoardRow
                item={item}
                position={position + 1}
                highest={highest}
                handle={canEdit ? handleOf(item.id) : null}
                whole={canEdit ? itemOf(item.id) : null}
                lifted={move?.id === item.id}
                line={lineAt(move, board, position)}
                undecided={undecided?.id === item.id}
                onFocus={() => onFocus(item.id)}
                onWhy={() => onWhy(item)}
                onBoost={canEdit ? () => onBoost(item) : null}
              />
            </Fragment>
          ))}
        </tbody>
      </table>
      <MovingHelp
        doneMessage={
          move &&
          t('{reference}: place {number} of {items}.', {
            reference: items[move.from.position]?.reference,
            number: move.to.position + 1,
            items: items.length,
          })
        }
      />
    </>
  )
}

const Head = ({ canEdit }: { readonly canEdit: boolean }) => (
  <thead>
    <tr>
      <th aria-label={canEdit ? t('Move') : t('Cannot be moved')} className={classes.handleCell} />
      <th scope="col" className={classes.position}>
        {t('Position')}
      </th>
      <th scope="col">{t('Solution')}</th>
      <th scope="col" className={classes.state}>
        {t('State')}
      </th>
      <th scope="col" className={classes.number} data-wide>
        {t('Actors')}
      </th>
      <th scope="col" className={classes.number} data-wide>
        {t('Evidence')}
      </th>
      <th scope="col" className={classes.number} data-wide>
        {t('Boost')}
      </th>
      <th scope="col" className={classes.score}>
        {t('Score')}
      </th>
    </tr>
  </thead>
)

/** Where what people ranked ends, if anything is, and what orders the rest. */
const Division = ({ after }: { readonly after: number }) =>
  after === 0 ? null : (
    <tr className={classes.division}>
      <th scope="rowgroup" colSpan={8}>
        {t('Below: ordered by evidence × boost')}
      </th>
    </tr>
  )

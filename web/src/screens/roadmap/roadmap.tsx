import { Button } from '@mantine/core'
import { IconPlus, IconRoute } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { ROADMAP_HORIZONS } from '../../../../schemas/domain/vocabulary.ts'
import { useCanEdit, useEveryPage, useOperationPages } from '../../api/operations.ts'
import { t } from '../../language/messages.ts'
import { loadPart } from '../../load-part.ts'
import { PrintButton } from '../../parts/controls.tsx'
import { later } from '../../parts/later.tsx'
import { MoreButton } from '../../parts/lists.tsx'
import { arranged, type Move } from '../../parts/moving/list-positions.ts'
import { MovingHelp, OF_ITEM, useItemKeys } from '../../parts/moving/movable.tsx'
import { useMoving } from '../../parts/moving/use-moving.ts'
import { Page, PageHeader, useRoomForEditing } from '../../parts/page.tsx'
import { EmptyState, ErrorState, LoadingState } from '../../parts/states.tsx'
import { useKeys } from '../../shell/keys.ts'
import { Column } from './column.tsx'
import { listsOf, type OpenDialog, positionLabel, type RoadmapItem, refreshDialog } from './horizons.ts'
import classes from './roadmap.module.css'

const RoadmapDialogs = later(
  loadPart(() => import('./roadmap-dialogs.tsx')),
  dialogs => dialogs.RoadmapDialogs,
)

const PAGE = 100

/** What is built now, next and later, each in the order that people decided, with the Decision behind each place. */
const Roadmap = () => {
  const [begun, setDialog] = useState<OpenDialog | null>(null)
  const canEdit = useCanEdit()
  const { hasRoom, unseen } = useRoomForEditing()
  const read = useOperationPages('orient_roadmap', { depth: 'full', limit: PAGE }, { keep: true })
  const { first, items, error, refetch } = read
  useEveryPage(read)
  const setFocused = useRoadmapKeys({ items, canEdit, onOpenDialog: setDialog })
  const dialog = begun && refreshDialog(begun, items)
  return (
    <Page>
      <PageHeader
        title={t('Roadmap')}
        awaits={first === undefined && error === null}
        about={t('What is built now, what next, and what later: each place by a Decision.')}
      >
        {items.length > 0 && <PrintButton />}
        {hasRoom && (
          <Button
            {...unseen}
            size="sm"
            leftSection={<IconPlus size={16} />}
            onClick={() => setDialog({ what: 'place' })}
            data-chrome
          >
            {t('Place a Solution')}
          </Button>
        )}
      </PageHeader>
      {error !== null && <ErrorState error={error} retry={refetch} />}
      {first === undefined && error === null && <LoadingState rows={5} height={96} />}
      {first !== undefined && first.count === 0 && (
        <EmptyState icon={IconRoute} title={t('Nothing is on the roadmap')}>
          {t(
            'Place Solutions of the Board in now, next or later. The Board orders them by evidence; here people say when.',
          )}
        </EmptyState>
      )}
      {items.length > 0 && (
        <Columns items={items} canEdit={canEdit} dialog={dialog} onOpenDialog={setDialog} onFocus={setFocused} />
      )}
      <div data-chrome>
        <MoreButton query={read} />
      </div>
      {dialog !== null && <RoadmapDialogs dialog={dialog} items={items} onClose={() => setDialog(null)} />}
    </Page>
  )
}

interface ColumnsProps {
  readonly items: readonly RoadmapItem[]
  readonly canEdit: boolean
  readonly dialog: OpenDialog | null
  readonly onOpenDialog: (dialog: OpenDialog) => void
  readonly onFocus: (id: string) => void
}

const Columns = ({ items, canEdit, dialog, onOpenDialog, onFocus }: ColumnsProps) => {
  const root = useRef<HTMLDivElement>(null)
  const byId = new Map(items.map(item => [item.id, item]))
  const lists = listsOf(items)
  const { move, isLeft, handleOf, itemOf } = useMoving({
    lists,
    root,
    onDrop: ({ id, to }) => {
      const item = byId.get(id)
      if (item !== undefined) onOpenDialog({ what: 'move', item, to })
    },
  })
  const shown = dialog?.what === 'move' ? arranged(lists, undecided(dialog)) : lists
  return (
    <div className={classes.columns} ref={root} data-moving={move !== null || undefined}>
      {ROADMAP_HORIZONS.map((horizon, position) => (
        <Column
          key={horizon}
          horizon={horizon}
          list={shown[position] ?? { id: horizon, items: [] }}
          items={byId}
          move={move}
          undecided={dialog?.what === 'move' ? dialog.item.id : null}
          handleOf={canEdit ? handleOf : null}
          itemOf={itemOf}
          onFocus={onFocus}
          onOpenDialog={canEdit ? onOpenDialog : null}
        />
      ))}
      <MovingHelp isLeft={isLeft} place={move && `${byId.get(move.id)?.reference}: ${positionLabel(move.to)}.`} />
    </div>
  )
}

/** Dropped, and not decided yet: it is shown where it is to stand. */
const undecided = ({ item, to }: Extract<OpenDialog, { readonly what: 'move' }>): Move => ({
  id: item.id,
  from: { list: item.horizon, position: item.position - 1 },
  to,
})

export default Roadmap

interface Options {
  readonly items: readonly RoadmapItem[]
  readonly canEdit: boolean
  readonly onOpenDialog: (dialog: OpenDialog) => void
}

/** The keys of the roadmap, about the Solution that has the focus. Answers what hears of the focus. */
const useRoadmapKeys = ({ items, canEdit, onOpenDialog }: Options) => {
  const { focused, setFocused } = useItemKeys({ ids: items.map(({ id }) => id), one: t('Solution'), canMove: canEdit })
  const here = items.find(({ id }) => id === focused)
  useKeys(
    canEdit
      ? [
          { key: 'p', does: t('Place a Solution'), run: () => onOpenDialog({ what: 'place' }) },
          {
            key: 'Delete',
            does: t('Remove it from the roadmap'),
            ...OF_ITEM,
            run: () => here !== undefined && onOpenDialog({ what: 'remove', item: here }),
          },
        ]
      : [],
  )
  return setFocused
}

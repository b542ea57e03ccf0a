import { Button, Group, Text } from '@mantine/core'
import { IconColumns3, IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useCanEdit, useOperationPages } from '../../api/operations.ts'
import { language, t } from '../../language/messages.ts'
import { OF_ITEM, useItemKeys } from '../../parts/moving/movable.tsx'
import { Page, PageHeader } from '../../parts/page.tsx'
import { EmptyState, ErrorState, LoadingState } from '../../parts/states.tsx'
import { useUrlState } from '../../parts/use-url-state.ts'
import { begin } from '../../shell/begun.ts'
import { undoKeys, useKeys } from '../../shell/keys.ts'
import { BoardDialogs, type OpenDialog } from './board-dialogs.tsx'
import { BoardFilters, COLUMNS, LIST, OPEN, statesOf } from './board-filters.tsx'
import { type BoardItem, BoardList, type Move } from './board-list.tsx'
import { Columns } from './columns.tsx'
import { planDrop } from './plan-drop.ts'
import type { BoardFilter } from './use-columns.ts'
import { useAsksReasons, useMoveSolution } from './use-move-solution.ts'

const SHOWN = { view: LIST, state: OPEN, group: '', owner: '' }
const PAGE = 100

/** What was asked, about the Solutions as they are by now: the board reads again while a dialog is open. */
const refreshDialog = (dialog: OpenDialog, items: readonly BoardItem[]): OpenDialog | null => {
  if (dialog.what !== 'rank') return { ...dialog, item: items.find(({ id }) => id === dialog.item.id) ?? dialog.item }
  const from = items.findIndex(({ id }) => id === dialog.move.id)
  return from === -1 ? null : { ...dialog, move: { ...dialog.move, from } }
}

/** The Solutions in board order, or by state: where people rank them, move them, and see what places each. */
const Board = () => {
  const [shown, change] = useUrlState(SHOWN)
  const canEdit = useCanEdit()
  const create = () => begin({ what: 'solution' })
  useKeys(canEdit ? [{ key: 'c', does: t('New Solution'), run: create }] : [])
  const filter: BoardFilter = {
    ...(shown.group !== '' && { group_id: shown.group }),
    ...(shown.owner !== '' && { owner: shown.owner }),
  }
  return (
    <Page>
      <PageHeader
        title={t('Board')}
        about={t('What to build: first what has a rank given by hand, then the rest in the order of its evidence.')}
      >
        {canEdit && (
          <Button size="sm" leftSection={<IconPlus size={16} />} onClick={create}>
            {t('New Solution')}
          </Button>
        )}
      </PageHeader>
      <BoardFilters shown={shown} onChange={change} />
      {shown.view === COLUMNS ? <Columns filter={filter} /> : <RankedBoard shown={shown.state} filter={filter} />}
    </Page>
  )
}

export default Board

interface RankedBoardProps {
  readonly shown: string
  readonly filter: BoardFilter
}

/** The Solutions of some states in one order. */
const RankedBoard = ({ shown, filter }: RankedBoardProps) => {
  const [begun, setDialog] = useState<OpenDialog | null>(null)
  const canEdit = useCanEdit()
  const asksReasons = useAsksReasons()
  const { rank, undoLast } = useMoveSolution()
  const { first, items, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useOperationPages(
    'lookup_backlog',
    { states: [...statesOf(shown)], limit: PAGE, ...filter },
    { keep: true },
  )
  const dialog = begun && refreshDialog(begun, items)
  const close = () => setDialog(null)
  const ask = (what: 'why' | 'boost' | 'unrank') => (item: BoardItem) => setDialog({ what, item })
  const setFocused = useBoardKeys({
    items,
    canEdit,
    onWhy: ask('why'),
    onBoost: ask('boost'),
    onUnrank: ask('unrank'),
    onUndo: undoLast,
  })
  const [ranked, setRanked] = useState<Move | null>(null)
  // By then it may stand there.
  const rankedFrom = items.findIndex(({ id }) => id === ranked?.id)
  const drop = async (move: Move) => {
    const item = items[move.from]
    const planned = planDrop(items, move.from, move.to)
    setRanked(move)
    if (item === undefined || planned === null || (await asksReasons())) {
      setRanked(null)
      return setDialog({ what: 'rank', move })
    }
    await rank(item, move.to + 1, planned)
    setRanked(null)
  }
  return (
    <>
      {first === undefined && error === null && <LoadingState rows={10} height={36} />}
      {error !== null && <ErrorState error={error} retry={refetch} />}
      {first !== undefined && first.count === 0 && (
        <EmptyState icon={IconColumns3} title={t('No Solution here')}>
          {t(
            'A Solution answers claims, and the evidence of these claims decides its place. Create one from the claims that matter.',
          )}
        </EmptyState>
      )}
      {items.length > 0 && (
        <BoardList
          items={items}
          canEdit={canEdit}
          undecided={
            dialog?.what === 'rank' ? dialog.move : ranked && rankedFrom >= 0 ? { ...ranked, from: rankedFrom } : null
          }
          onDrop={drop}
          onFocus={setFocused}
          onWhy={ask('why')}
          onBoost={ask('boost')}
        />
      )}
      {first !== undefined && items.length < first.count && (
        <Group mt="md" gap="md">
          <Button
            size="xs"
            variant="default"
            loading={isFetchingNextPage || !hasNextPage}
            onClick={() => fetchNextPage()}
          >
            {t('Show more')}
          </Button>
          <Text size="sm" c="dimmed">
            {t('{items} of {count}', {
              items: items.length.toLocaleString(language),
              count: first.count.toLocaleString(language),
            })}
          </Text>
        </Group>
      )}
      <BoardDialogs dialog={dialog} items={items} onClose={close} />
    </>
  )
}

interface Options {
  readonly items: readonly BoardItem[]
  readonly canEdit: boolean
  readonly onWhy: (item: BoardItem) => void
  readonly onBoost: (item: BoardItem) => void
  readonly onUnrank: (item: BoardItem) => void
  readonly onUndo: () => void
}

/**
 * The board’s keys. `j` and `k` move the focus itself, so that Enter opens and what follows is about that row. Answers
 * what hears of the focus.
 */
const useBoardKeys = ({ items, canEdit, onWhy, onBoost, onUnrank, onUndo }: Options) => {
  const { focused, setFocused } = useItemKeys({
    ids: items.map(({ id }) => id),
    one: t('Solution'),
    canMove: canEdit,
  })
  const here = (act: (item: BoardItem) => void) => () => {
    const item = items.find(({ id }) => id === focused)
    if (item !== undefined) act(item)
  }
  useKeys([
    { key: 'w', does: t('Why it is here'), ...OF_ITEM, run: here(onWhy) },
    ...(canEdit
      ? [
          {
            key: 'u',
            does: t('Clear its rank'),
            ...OF_ITEM,
            run: here(item => item.manual_rank !== null && onUnrank(item)),
          },
          { key: 'b', does: t('Boost it'), ...OF_ITEM, run: here(onBoost) },
          ...undoKeys(onUndo),
        ]
      : []),
  ])
  return setFocused
}

import { Button, Group, Text } from '@mantine/core'
import { IconColumns3, IconPlus } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { useOperationPages } from '../../api/hooks.ts'
import { useMayAct } from '../../api/use-role.ts'
import { EmptyState } from '../../parts/empty-state.tsx'
import { ErrorState } from '../../parts/error-state.tsx'
import { LoadingState } from '../../parts/loading-state.tsx'
import { Page } from '../../parts/page.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { addressOfReference } from '../../parts/reference.tsx'
import { useUrlState } from '../../parts/use-url-state.ts'
import { BoostDialog } from '../solutions/boost-dialog.tsx'
import { CreateSolution } from '../solutions/create-solution.tsx'
import { WhyHere } from '../solutions/why-here.tsx'
import { BoardFilters, OPEN, statesOf } from './board-filters.tsx'
import { BoardList, type Move } from './board-list.tsx'
import type { BoardItem } from './board-row.tsx'
import { planDrop } from './plan-drop.ts'
import { RankDialog } from './rank-dialog.tsx'
import { UnrankDialog } from './unrank-dialog.tsx'
import { useBoardKeys } from './use-board-keys.ts'

const SHOWN = { state: OPEN, group: '' }
const PAGE = 100

/** What is open above the board: at most one. */
type Asked =
  | { readonly what: 'create' }
  | { readonly what: 'why' | 'boost' | 'unrank'; readonly item: BoardItem }
  | { readonly what: 'rank'; readonly move: Move }

/** What was asked, about the Solutions as they are by now: the board reads again while a dialog is open. */
const asNow = (asked: Asked, items: readonly BoardItem[]): Asked | null => {
  if (asked.what === 'create') return asked
  if (asked.what !== 'rank') return { ...asked, item: items.find(({ id }) => id === asked.item.id) ?? asked.item }
  const from = items.findIndex(({ id }) => id === asked.move.id)
  return from === -1 ? null : { ...asked, move: { ...asked.move, from } }
}

/** The Solutions in board order: where people rank them, boost them, and see what places each. */
const Board = () => {
  const [shown, change] = useUrlState(SHOWN)
  const [begun, setAsked] = useState<Asked | null>(null)
  const navigate = useNavigate()
  const mayAct = useMayAct()
  const input = {
    states: [...statesOf(shown.state)],
    limit: PAGE,
    ...(shown.group !== '' && { group_id: shown.group }),
  }
  const { first, items, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useOperationPages(
    'lookup_backlog',
    input,
    { keep: true },
  )
  const asked = begun && asNow(begun, items)
  const close = () => setAsked(null)
  const ask = (what: 'why' | 'boost' | 'unrank') => (item: BoardItem) => setAsked({ what, item })
  const setFocused = useBoardKeys({
    items,
    mayAct,
    onWhy: ask('why'),
    onBoost: ask('boost'),
    onUnrank: ask('unrank'),
    onCreate: () => setAsked({ what: 'create' }),
  })
  const open = (reference: string) => navigate(addressOfReference(reference) ?? '/app/board')

  return (
    <Page>
      <PageHeader title="Board" about="What to build, in the order of its evidence, where nobody ranked it by hand.">
        {mayAct && (
          <Button size="sm" leftSection={<IconPlus size={16} />} onClick={() => setAsked({ what: 'create' })}>
            New Solution
          </Button>
        )}
      </PageHeader>
      <BoardFilters shown={shown.state} group={shown.group} onChange={change} />
      {first === undefined && error === null && <LoadingState rows={10} height={36} />}
      {error !== null && <ErrorState error={error} retry={refetch} />}
      {first !== undefined && first.count === 0 && (
        <EmptyState icon={IconColumns3} title="No Solution stands here">
          A Solution answers claims, and their evidence places it. Create one from the claims that matter.
        </EmptyState>
      )}
      {items.length > 0 && (
        <BoardList
          items={items}
          mayAct={mayAct}
          undecided={asked?.what === 'rank' ? asked.move : null}
          onDrop={move => setAsked({ what: 'rank', move })}
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
            disabled={!hasNextPage}
            loading={isFetchingNextPage}
            onClick={() => fetchNextPage()}
          >
            Show more
          </Button>
          <Text size="sm" c="dimmed">
            {items.length.toLocaleString('en')} of {first.count.toLocaleString('en')}
          </Text>
        </Group>
      )}
      <Above asked={asked} items={items} onCreated={open} onClose={close} />
    </Page>
  )
}

interface AboveProps {
  readonly asked: Asked | null
  readonly items: readonly BoardItem[]
  readonly onCreated: (reference: string) => void
  readonly onClose: () => void
}

const Above = ({ asked, items, onCreated, onClose }: AboveProps) => {
  const why = asked?.what === 'why' ? asked.item : null
  const place = items.findIndex(({ id }) => id === why?.id)
  return (
    <>
      <WhyHere
        of={why?.reference ?? null}
        above={place > 0 ? items[place - 1] : undefined}
        below={place >= 0 ? items[place + 1] : undefined}
        onClose={onClose}
      />
      {asked?.what === 'create' && <CreateSolution claims={[]} onCreated={onCreated} onClose={onClose} />}
      {asked?.what === 'boost' && <BoostDialog of={asked.item} onClose={onClose} />}
      {asked?.what === 'unrank' && <UnrankDialog of={asked.item} onClose={onClose} />}
      {asked?.what === 'rank' && <Ranking move={asked.move} items={items} onClose={onClose} />}
    </>
  )
}

const Ranking = ({ move, items, onClose }: Pick<AboveProps, 'items' | 'onClose'> & { readonly move: Move }) => {
  const item = items[move.from]
  const planned = planDrop(items, move.from, move.to)
  const kept = useRef(planned)
  // Once it is done it stands there, and there is nothing more to plan; the dialog is still to say so.
  if (planned !== null) kept.current = planned
  const drop = kept.current
  return item === undefined || drop === null ? null : (
    <RankDialog item={item} place={move.to + 1} drop={drop} onClose={onClose} />
  )
}

export default Board

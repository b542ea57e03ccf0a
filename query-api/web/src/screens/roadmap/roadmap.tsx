import { Button } from '@mantine/core'
import { IconPlus, IconRoute } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { ROADMAP_HORIZONS } from '../../../../../schemas/domain/vocabulary.ts'
import { useOperationPages } from '../../api/hooks.ts'
import { useEveryPage } from '../../api/use-every-page.ts'
import { useLiveChange } from '../../api/use-live.ts'
import { useMayAct } from '../../api/use-role.ts'
import { EmptyState } from '../../parts/empty-state.tsx'
import { ErrorState } from '../../parts/error-state.tsx'
import { MoreButton } from '../../parts/evidence/more-button.tsx'
import { LoadingState } from '../../parts/loading-state.tsx'
import { MovingHelp } from '../../parts/moving/handle.tsx'
import { arranged, type Move } from '../../parts/moving/spots.ts'
import { useMoving } from '../../parts/moving/use-moving.ts'
import { Page } from '../../parts/page.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { PrintButton } from '../../parts/print-button.tsx'
import { type Asked, asNow } from './asked.ts'
import { Column } from './column.tsx'
import { listsOf, type RoadmapItem, said } from './horizons.ts'
import classes from './roadmap.module.css'
import { RoadmapDialogs } from './roadmap-dialogs.tsx'
import { useRoadmapKeys } from './use-roadmap-keys.ts'

const PAGE = 100

/** What is built now, next and later, each in the order that people decided, with the Decision behind each place. */
const Roadmap = () => {
  const [begun, setAsked] = useState<Asked | null>(null)
  const mayAct = useMayAct()
  const read = useOperationPages('orient_roadmap', { depth: 'full', limit: PAGE }, { keep: true })
  const { first, items, error, refetch } = read
  useEveryPage(read)
  useLiveChange(['decisions'], refetch)
  const setFocused = useRoadmapKeys({ items, mayAct, onAsk: setAsked })
  const asked = begun && asNow(begun, items)
  return (
    <Page>
      <PageHeader title="Roadmap" about="What is built now, what next, and what later: each place by a Decision.">
        {items.length > 0 && <PrintButton />}
        {mayAct && (
          <Button
            size="sm"
            leftSection={<IconPlus size={16} />}
            onClick={() => setAsked({ what: 'place' })}
            data-chrome
          >
            Place a Solution
          </Button>
        )}
      </PageHeader>
      {error !== null && <ErrorState error={error} retry={refetch} />}
      {first === undefined && error === null && <LoadingState rows={5} height={96} />}
      {first !== undefined && first.count === 0 && (
        <EmptyState icon={IconRoute} title="Nothing is on the roadmap">
          Place Solutions of the Board in now, next or later. The Board orders them by evidence; here people say when.
        </EmptyState>
      )}
      {items.length > 0 && (
        <Columns items={items} mayAct={mayAct} asked={asked} onAsk={setAsked} onFocus={setFocused} />
      )}
      <div data-chrome>
        <MoreButton query={read} />
      </div>
      {asked !== null && <RoadmapDialogs asked={asked} items={items} onClose={() => setAsked(null)} />}
    </Page>
  )
}

interface ColumnsProps {
  readonly items: readonly RoadmapItem[]
  readonly mayAct: boolean
  readonly asked: Asked | null
  readonly onAsk: (asked: Asked) => void
  readonly onFocus: (id: string) => void
}

const Columns = ({ items, mayAct, asked, onAsk, onFocus }: ColumnsProps) => {
  const root = useRef<HTMLDivElement>(null)
  const byId = new Map(items.map(item => [item.id, item]))
  const lists = listsOf(items)
  const { move, handleOf } = useMoving({
    lists,
    root,
    onDrop: ({ id, to }) => {
      const item = byId.get(id)
      if (item !== undefined) onAsk({ what: 'move', item, to })
    },
  })
  const shown = asked?.what === 'move' ? arranged(lists, undecided(asked)) : lists
  return (
    <div className={classes.columns} ref={root} data-moving={move !== null || undefined}>
      {ROADMAP_HORIZONS.map((horizon, place) => (
        <Column
          key={horizon}
          horizon={horizon}
          list={shown[place] ?? { id: horizon, items: [] }}
          items={byId}
          move={move}
          undecided={asked?.what === 'move' ? asked.item.id : null}
          handleOf={mayAct ? handleOf : null}
          onFocus={onFocus}
          onAsk={mayAct ? onAsk : null}
        />
      ))}
      <MovingHelp says={move && `${byId.get(move.id)?.reference}: ${said(move.to)}.`} />
    </div>
  )
}

/** Dropped, and not decided yet: it is shown where it is to stand. */
const undecided = ({ item, to }: Extract<Asked, { readonly what: 'move' }>): Move => ({
  id: item.id,
  from: { list: item.horizon, place: item.position - 1 },
  to,
})

export default Roadmap

import { Button } from '@mantine/core'
import { IconFlag, IconPlus } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { STRATEGY_LAYERS } from '../../../../schemas/domain/vocabulary.ts'
import { useCanEdit, useEveryPage, useOperationPages } from '../../api/operations.ts'
import { t } from '../../language/messages.ts'
import { loadPart } from '../../load-part.ts'
import { PrintButton } from '../../parts/controls.tsx'
import { later } from '../../parts/later.tsx'
import { MoreButton } from '../../parts/lists.tsx'
import { arranged, type Move } from '../../parts/moving/list-positions.ts'
import { MovingHelp, OF_ITEM, useItemKeys } from '../../parts/moving/movable.tsx'
import { useMoving } from '../../parts/moving/use-moving.ts'
import { Page, PageHeader } from '../../parts/page.tsx'
import { EmptyState, ErrorState, LoadingState } from '../../parts/states.tsx'
import { useKeys } from '../../shell/keys.ts'
import { Layer } from './layer.tsx'
import { type Element, LAYERS, layerOf, listsOf, named, type OpenDialog, refreshDialog } from './layers.ts'

const StrategyDialogs = later(
  loadPart(() => import('./strategy-dialogs.tsx')),
  dialogs => dialogs.StrategyDialogs,
)

const PAGE = 100

/** The Strategy Stack: its layers, from what lasts to what is tried, each in the order that people gave it. */
const Strategy = () => {
  const [begun, setDialog] = useState<OpenDialog | null>(null)
  const canEdit = useCanEdit()
  const read = useOperationPages('orient_strategy', { depth: 'full', limit: PAGE }, { keep: true })
  const { first, items, error, refetch } = read
  useEveryPage(read)
  const setFocused = useStrategyKeys({ items, canEdit, onOpenDialog: setDialog })
  const dialog = begun && refreshDialog(begun, items)
  return (
    <Page>
      <PageHeader
        title={t('Strategy')}
        awaits={first === undefined && error === null}
        about={t('Where the product is going, and the claims and Solutions that are related to it.')}
      >
        {items.length > 0 && <PrintButton />}
      </PageHeader>
      {error !== null && <ErrorState error={error} retry={refetch} />}
      {first === undefined && error === null && <LoadingState rows={6} height={72} />}
      {first !== undefined && first.count === 0 && (
        <EmptyState icon={IconFlag} title={t('There is no strategy yet')}>
          {t(
            'It has three layers: a vision, the objectives on the way there, and the bets that are tried. Agents weigh what they propose against it.',
          )}
          {canEdit && (
            <div>
              <Button
                mt="md"
                leftSection={<IconPlus size={16} />}
                onClick={() => setDialog({ what: 'add', layer: 'vision' })}
              >
                {t('Add a vision')}
              </Button>
            </div>
          )}
        </EmptyState>
      )}
      {items.length > 0 && (
        <Stack items={items} canEdit={canEdit} dialog={dialog} onOpenDialog={setDialog} onFocus={setFocused} />
      )}
      <div data-chrome>
        <MoreButton query={read} />
      </div>
      {dialog !== null && <StrategyDialogs dialog={dialog} onClose={() => setDialog(null)} />}
    </Page>
  )
}

interface StackProps {
  readonly items: readonly Element[]
  readonly canEdit: boolean
  readonly dialog: OpenDialog | null
  readonly onOpenDialog: (dialog: OpenDialog) => void
  readonly onFocus: (id: string) => void
}

const Stack = ({ items, canEdit, dialog, onOpenDialog, onFocus }: StackProps) => {
  const root = useRef<HTMLDivElement>(null)
  const elements = new Map(items.map(item => [item.id, item]))
  const lists = listsOf(items)
  const { move, isLeft, handleOf } = useMoving({
    lists,
    root,
    stacked: true,
    onDrop: ({ id, to }) => {
      const element = elements.get(id)
      if (element !== undefined) onOpenDialog({ what: 'move', element, to })
    },
  })
  const shown = dialog?.what === 'move' ? arranged(lists, undecided(dialog)) : lists
  return (
    <div ref={root}>
      {STRATEGY_LAYERS.map((layer, position) => (
        <Layer
          key={layer}
          layer={layer}
          list={shown[position] ?? { id: layer, items: [] }}
          elements={elements}
          move={move}
          undecided={dialog?.what === 'move' ? dialog.element.id : null}
          canEdit={canEdit}
          handleOf={handleOf}
          onFocus={onFocus}
          onOpenDialog={onOpenDialog}
        />
      ))}
      <MovingHelp isLeft={isLeft} place={move && placeOf(move, elements)} />
    </div>
  )
}

/** Dropped, and not decided yet: it is shown where it is to stand. */
const undecided = ({ element, to }: Extract<OpenDialog, { readonly what: 'move' }>): Move => ({
  id: element.id,
  from: { list: element.layer, position: element.position - 1 },
  to,
})

const placeOf = ({ id, to }: Move, elements: ReadonlyMap<string, Element>): string => {
  const element = elements.get(id)
  return element === undefined
    ? ''
    : t('{element}: {title}, place {number}.', {
        element: named(element),
        title: LAYERS[layerOf(to.list)].title,
        number: to.position + 1,
      })
}

export default Strategy

interface Options {
  readonly items: readonly Element[]
  readonly canEdit: boolean
  readonly onOpenDialog: (dialog: OpenDialog) => void
}

/** The keys of the strategy, about the element that has the focus. Answers what hears of the focus. */
const useStrategyKeys = ({ items, canEdit, onOpenDialog }: Options) => {
  const { focused, setFocused } = useItemKeys({ ids: items.map(({ id }) => id), one: 'element', canMove: canEdit })
  const here = items.find(({ id }) => id === focused)
  const ask = (what: 'edit' | 'link' | 'remove') => () => here !== undefined && onOpenDialog({ what, element: here })
  useKeys(
    canEdit
      ? [
          {
            key: 'c',
            does: t('Add to the layer'),
            run: () => onOpenDialog({ what: 'add', layer: here?.layer ?? 'vision' }),
          },
          { key: 'e', does: t('Edit it'), ...OF_ITEM, run: ask('edit') },
          { key: 'l', does: t('Link claims and Solutions to it'), ...OF_ITEM, run: ask('link') },
          { key: 'Delete', does: t('Remove it'), ...OF_ITEM, run: ask('remove') },
        ]
      : [],
  )
  return setFocused
}

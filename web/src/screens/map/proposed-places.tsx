import { Button, Group, Text, Title } from '@mantine/core'
import { IconMapPin } from '@tabler/icons-react'
import { useState } from 'react'
import { MAX_TRIAGED } from '../../../../schemas/domain/limits.ts'
import { callOnce, type Output, useCanEdit, useOperation } from '../../api/operations.ts'
import { counted, language, t } from '../../language/messages.ts'
import { ClassificationBadge } from '../../parts/badges.tsx'
import { TellingButton } from '../../parts/controls.tsx'
import { ChooseBox, useRange } from '../../parts/evidence/choose-box.tsx'
import { undoChange, useUndoableAction } from '../../parts/evidence/undo.ts'
import { Reference } from '../../parts/inline.tsx'
import { Quote } from '../../parts/quote.tsx'
import { EmptyState, ErrorState, LoadingState } from '../../parts/states.tsx'
import { StickyBar } from '../../parts/sticky-bar.tsx'
import { undoKeys, useKeys } from '../../shell/keys.ts'
import classes from './node.module.css'

type Node = Output<'list_proposed_places'>['items'][number]
type Place = Node['signals'][number]
/** So many signals of a node are shown until somebody asks for the others. */
const SHOWN = 5

/** For each node the signals that likely belong to it: those that surely fit are ticked, and placed by one press. */
export const ProposedPlaces = () => {
  const { data, error, refetch } = useOperation('list_proposed_places', {})
  const { act, busy, undoLast } = useUndoableAction()
  const canEdit = useCanEdit()
  /** Those that are ticked otherwise than they were at first. */
  const [changed, setChanged] = useState<ReadonlySet<string>>(new Set())
  const isTicked = ({ reference, is_clear }: Place) => changed.has(reference) !== is_clear
  const toggle = (places: readonly Place[], isOn: boolean) => {
    const next = new Set(changed)
    for (const { reference, is_clear } of places) {
      if (is_clear === isOn) next.delete(reference)
      else next.add(reference)
    }
    setChanged(next)
  }
  const place = (nodes: readonly Node[]) => {
    const places = placesOf(nodes, isTicked)
    return act({
      change: `place ${places.map(({ signal_id }) => signal_id).join(' ')}`,
      run: () => callOnce('place_signals', { places }),
      doneMessage: ({ data: { placed, nodes: at } }) =>
        t('Placed: {signals}, at {nodes}.', { signals: counted(placed, 'signal'), nodes: counted(at.length, 'node') }),
      undo: undoChange,
    })
  }
  const all = data?.items ?? []
  const missing = whyNot(placesOf(all, isTicked).length)
  const placeAll = () => missing === null && void place(all)
  useKeys(canEdit ? [{ key: '1', does: t('Place all that are ticked'), run: placeAll }, ...undoKeys(undoLast)] : [])
  if (data === undefined)
    return error === null ? <LoadingState rows={6} height={56} /> : <ErrorState error={error} retry={refetch} />
  if (all.length === 0) {
    return (
      <EmptyState
        icon={IconMapPin}
        title={data.unplaced === 0 ? t('No signal waits for a place') : t('No likely place')}
      >
        {data.unplaced === 0
          ? t('Signals without a node are listed here with the node that they probably belong to.')
          : t('{signals} without a node; none of them clearly resembles what a node holds.', {
              signals: counted(data.unplaced, 'signal'),
            })}
      </EmptyState>
    )
  }
  return (
    <>
      <StickyBar mb="sm">
        {canEdit && (
          <TellingButton size="xs" missing={missing} loading={busy} onClick={placeAll}>
            {t('Place all that are ticked')}
          </TellingButton>
        )}
        <Text size="sm" c="dimmed" role="status">
          {t('{signals} without a node; the likely node is shown for the newest {compared}.', {
            signals: counted(data.unplaced, 'signal'),
            compared: data.compared.toLocaleString(language),
          })}
        </Text>
      </StickyBar>
      {all.map(node => (
        <NodePlaces
          key={node.node_id}
          node={node}
          isTicked={isTicked}
          {...(canEdit && { onToggle: toggle, onPlace: () => void place([node]) })}
        />
      ))}
    </>
  )
}

const placesOf = (nodes: readonly Node[], isTicked: (place: Place) => boolean) =>
  nodes.flatMap(({ node_id, signals }) =>
    signals.filter(isTicked).map(({ signal_id, version }) => ({ signal_id, node_id, version })),
  )

const whyNot = (ticked: number): string | null => {
  if (ticked === 0) return t('Tick the signals that belong there.')
  return ticked > MAX_TRIAGED ? t('At most {most} at once.', { most: MAX_TRIAGED }) : null
}

interface NodePlacesProps {
  readonly node: Node
  readonly isTicked: (place: Place) => boolean
  /** Absent: the person’s role may change nothing. */
  readonly onToggle?: (places: readonly Place[], isOn: boolean) => void
  readonly onPlace?: () => void
}

/** One node with the signals that likely belong to it, the surest first. */
const NodePlaces = ({ node, isTicked, onToggle, onPlace }: NodePlacesProps) => {
  const [isWhole, setWhole] = useState(false)
  const ticked = node.signals.filter(isTicked).length
  const shown = isWhole ? node.signals : node.signals.slice(0, SHOWN)
  const rangeOf = useRange(shown.map(({ reference }) => reference))
  const path = node.path.join(' / ')
  const press = (pressed: Place, isRange: boolean) => {
    const range = new Set(rangeOf(pressed.reference, isRange))
    onToggle?.(
      shown.filter(({ reference }) => range.has(reference)),
      !isTicked(pressed),
    )
  }
  return (
    <section aria-label={path}>
      <Group gap="sm" mt="lg" mb="xs">
        <Title order={2} size="h4">
          <bdi>{path}</bdi>
        </Title>
        <Text size="sm" c="dimmed">
          {counted(node.count, 'signal')}
        </Text>
        {onPlace !== undefined && (
          <TellingButton
            size="compact-xs"
            variant="default"
            missing={whyNot(ticked)}
            aria-description={path}
            onClick={onPlace}
          >
            {t('Place {ticked} here', { ticked: ticked.toLocaleString(language) })}
          </TellingButton>
        )}
      </Group>
      <ul className="plain">
        {shown.map(place => (
          <li key={place.signal_id} className={classes.item}>
            <Group gap="xs" mb={2}>
              {onToggle !== undefined && (
                <ChooseBox
                  reference={place.reference}
                  text={place.text}
                  isChosen={isTicked(place)}
                  onToggle={isRange => press(place, isRange)}
                />
              )}
              <Reference of={place.reference} />
              <ClassificationBadge classification={place.classification} />
              {!place.is_clear && (
                <Text size="xs" c="dimmed">
                  {t('not sure')}
                </Text>
              )}
            </Group>
            <Quote text={place.text} most={240} />
          </li>
        ))}
      </ul>
      {node.signals.length > shown.length && (
        <Button size="compact-xs" variant="default" mt="xs" onClick={() => setWhole(true)}>
          {t('Show more')}
        </Button>
      )}
    </section>
  )
}

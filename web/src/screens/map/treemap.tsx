import { useElementSize } from '@mantine/hooks'
import { type MouseEvent, useMemo } from 'react'
import { counted, language, t } from '../../language/messages.ts'
import { clip } from '../../parts/formats.ts'
import { METRIC_TRENDS, metricTrendOf } from './metric-trend.ts'
import type { Branch } from './outline.ts'
import classes from './treemap.module.css'
import { type Cell, layOut } from './treemap-layout.ts'

interface Props {
  readonly branches: readonly Branch[]
  /** The node that is shown beside. */
  readonly chosen: string
  readonly onChoose: (id: string) => void
}

/**
 * The map as a picture: areas by evidence, colours by which way the metrics went. The tree beside it is the same for
 * keyboard and ear.
 */
export const Treemap = ({ branches, chosen, onChoose }: Props) => {
  const { ref, width, height } = useElementSize<HTMLDivElement>()
  const cells = useMemo(() => layOut(branches, { x: 0, y: 0, width, height }), [branches, width, height])
  const choose = ({ target }: MouseEvent) => {
    const id = target instanceof Element ? target.closest('[data-node]')?.getAttribute('data-node') : null
    if (id != null) onChoose(id)
  }
  return (
    <div ref={ref} className={classes.picture}>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the tree beside does the same by keyboard */}
      <svg
        width={width}
        height={height}
        role="img"
        aria-label={t(
          'The map, sized by evidence and coloured by which way its metrics went. The tree of nodes has the same figures.',
        )}
        onClick={choose}
      >
        {cells.map(cell => (
          <CellShape
            key={`${cell.kind} ${cell.branch.node.id}`}
            cell={cell}
            isChosen={cell.branch.node.id === chosen}
          />
        ))}
      </svg>
    </div>
  )
}

/** Pixels that a letter of a label takes about, and those around a label. */
const LETTER = 7.8
const AROUND = 8
const LINE = 16

const CellShape = ({
  cell: { branch, place, kind },
  isChosen,
}: {
  readonly cell: Cell
  readonly isChosen: boolean
}) => {
  const { node } = branch
  const trend = metricTrendOf(node)
  const signals = kind === 'own' ? node.signals : node.subtree_signals
  const characters = Math.floor((place.width - 2 * AROUND) / LETTER)
  const figure = [signals.toLocaleString(language), METRIC_TRENDS[trend].sign].join(' ').trim()
  const name = kind === 'own' ? t('itself') : node.name
  const label = trend === 'none' ? '' : ` · ${METRIC_TRENDS[trend].label}`
  const isRoomy = place.height >= 2 * LINE + AROUND
  return (
    <g
      className={classes.cell}
      data-node={node.id}
      data-kind={kind}
      data-standing={kind === 'own' ? 'none' : trend}
      data-chosen={isChosen || undefined}
    >
      <title>{`${node.name}${kind === 'own' ? t(', itself') : ''} · ${counted(signals, 'signal')}${label}`}</title>
      <rect x={place.x} y={place.y} width={place.width} height={place.height} rx={3} />
      {characters >= 3 && place.height >= LINE + 4 && (
        // A picture of its own, so that nothing that is written leaves the cell.
        <svg x={place.x} y={place.y} width={place.width} height={place.height} aria-hidden="true">
          <text x={AROUND} y={LINE} data-faint={kind === 'own' || undefined}>
            {kind === 'frame'
              ? `${clip(name, Math.max(2, characters - figure.length - 3))} · ${figure}`
              : clip(name, characters)}
          </text>
          {kind !== 'frame' && isRoomy && (
            <text x={AROUND} y={2 * LINE} data-faint>
              {figure}
            </text>
          )}
        </svg>
      )}
    </g>
  )
}

import { useElementSize } from '@mantine/hooks'
import { type PointerEvent, useState } from 'react'
import classes from './chart.module.css'
import { type ChartRow, colorOf, figureIn, Legend, type Series } from './series.tsx'
import { labelledOf, ticksOf } from './ticks.ts'

const TOP = 8
const BOTTOM = 24
const LEFT = 56
const RIGHT = 6
/** Width of a label below the axis, with its gap, in pixels. */
const LABEL_WIDTH = 112
const DOTS_UP_TO = 60

interface Props {
  /** One row for each time; `at` is in milliseconds. */
  readonly data: readonly ChartRow[]
  readonly series: readonly Series[]
  readonly height: number
  /** A value as people read it, and a short form for the axis. */
  readonly format: (value: number) => string
  readonly short?: (value: number) => string
  readonly label: (at: number) => string
  /** True when the axis begins at 0, as for sums; otherwise at the lowest value. */
  readonly fromZero?: boolean
  readonly whole?: boolean
  /** Without axes, as a line within a text. */
  readonly bare?: boolean
  readonly target?: number | null
}

/** Parts of a line between its gaps. */
const pathOf = (points: readonly (readonly [x: number, y: number | null])[]): string =>
  points
    .flatMap(([x, y], index) =>
      y === null
        ? []
        : [`${index === 0 || points[index - 1]?.[1] === null ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`],
    )
    .join('')

/**
 * Values over time. A table or text beside the chart must have the same values: only a pointer shows them in the chart.
 */
export const LineChart = ({
  data,
  series,
  height,
  format,
  short = format,
  label,
  fromZero = false,
  whole = false,
  bare = false,
  target = null,
}: Props) => {
  const { ref, width } = useElementSize<HTMLDivElement>()
  const [pointed, setPointed] = useState<number | null>(null)
  const [left, bottom] = bare ? [RIGHT, TOP] : [LEFT, BOTTOM]
  const places = data.map(({ at }) => figureIn(at) ?? 0)
  const [first = 0, last = 0] = [places[0], places.at(-1)]
  const values = data.flatMap(each => series.flatMap(({ name }) => figureIn(each[name]) ?? []))
  const shown = target === null ? values : [...values, target]
  const ticks = ticksOf(
    fromZero ? Math.min(0, ...shown) : Math.min(...shown),
    Math.max(fromZero ? 0 : -Infinity, ...shown),
    {
      most: Math.max(2, Math.floor(height / 70)),
      whole,
    },
  )
  const [least = 0, greatest = 1] = [ticks[0], ticks.at(-1)]
  const x = (at: number) =>
    first === last ? width / 2 : left + ((at - first) / (last - first)) * (width - left - RIGHT)
  const y = (value: number) => TOP + (1 - (value - least) / (greatest - least)) * (height - TOP - bottom)
  const point = ({ clientX, currentTarget }: PointerEvent<SVGSVGElement>) => {
    const at = clientX - currentTarget.getBoundingClientRect().left
    const away = places.map(each => Math.abs(x(each) - at))
    setPointed(away.indexOf(Math.min(...away)))
  }
  const here = pointed === null ? undefined : data[pointed]
  const hereAt = places[pointed ?? 0] ?? 0
  return (
    <div ref={ref} className={classes.chart} data-chart>
      {width === 0 ? (
        // Reserves the height until the width is known.
        <div style={{ height }} />
      ) : (
        <svg
          width={width}
          height={height}
          viewBox={`0 0 ${width} ${height}`}
          aria-hidden
          onPointerMove={point}
          onPointerLeave={() => setPointed(null)}
        >
          {!bare &&
            ticks.map(tick => (
              <g key={tick} className={classes.tick}>
                <line x1={left} x2={width - RIGHT} y1={y(tick)} y2={y(tick)} />
                <text x={left - 8} y={y(tick)} dy="0.32em" textAnchor="end">
                  {short(tick)}
                </text>
              </g>
            ))}
          {!bare &&
            labelledOf(places.map(x), { width, room: LABEL_WIDTH }).map(index => (
              <text key={index} className={classes.at} x={x(places[index] ?? 0)} y={height - 6} textAnchor="middle">
                {label(places[index] ?? 0)}
              </text>
            ))}
          {target !== null && (
            <line className={classes.target} x1={left} x2={width - RIGHT} y1={y(target)} y2={y(target)} />
          )}
          {here !== undefined && (
            <line className={classes.pointer} x1={x(hereAt)} x2={x(hereAt)} y1={TOP} y2={height - bottom} />
          )}
          {series.map(({ name, color, dashed = false }) => {
            const points = data.map((each, index) => {
              const value = figureIn(each[name])
              return [x(places[index] ?? 0), value === null ? null : y(value)] as const
            })
            return (
              <g key={name} style={{ color: colorOf(color) }}>
                <path className={classes.line} d={pathOf(points)} data-line data-dashed={dashed || undefined} />
                {data.length <= DOTS_UP_TO &&
                  points.map(([cx, cy]) => cy !== null && <circle key={cx} cx={cx} cy={cy} r={2} data-dot />)}
              </g>
            )
          })}
        </svg>
      )}
      {here !== undefined && (
        <div className={classes.tip} data-before={x(hereAt) > width / 2 || undefined} style={{ left: x(hereAt) }}>
          <b>{label(hereAt)}</b>
          {series.map(({ name, label: named }) => {
            const value = figureIn(here[name])
            return (
              <div key={name}>
                <bdi>{named}</bdi>: {value === null ? '–' : format(value)}
              </div>
            )
          })}
        </div>
      )}
      {series.length > 1 && <Legend series={series} />}
    </div>
  )
}

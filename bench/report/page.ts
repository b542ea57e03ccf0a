import { keyOf, mediansOf, type Report, type Summary } from './report.ts'

const WIDTH = 220
const ROW = 16
const PLOT = { width: 420, height: 160, left: 56, bottom: 24 }

const escapeHtml = (text: string): string =>
  text.replace(/[&<>"]/g, sign => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[sign] ?? sign)

/** Three digits that count, as a person reads them. */
export const formatFigure = (value: number): string =>
  value.toLocaleString('en', value >= 1000 ? { maximumFractionDigits: 0 } : { maximumSignificantDigits: 3 })

export const describeAsked = ({ atMost, atLeast }: Summary): string => {
  if (atMost !== undefined) return `at most ${formatFigure(atMost)}`
  return atLeast === undefined ? '' : `at least ${formatFigure(atLeast)}`
}

/** From the least to the most of the rounds, the median as a dot, what was asked as a line. */
const drawSpread = ({ least, most, median, atMost, atLeast }: Summary): string => {
  const asked = atMost ?? atLeast
  const scale = WIDTH / (Math.max(most, asked ?? 0) * 1.05 || 1)
  const x = (value: number) => (value * scale).toFixed(1)
  const line = asked === undefined ? '' : `<line class="asked" x1="${x(asked)}" x2="${x(asked)}" y1="0" y2="${ROW}"/>`
  return `<svg width="${WIDTH}" height="${ROW}" role="img" aria-label="${formatFigure(least)} to ${formatFigure(most)}">
<line class="spread" x1="${x(least)}" x2="${x(most)}" y1="8" y2="8"/>${line}<circle cx="${x(median)}" cy="8" r="4"/></svg>`
}

/** A figure as what is behind it grows; the growth by powers of ten. */
const drawGrowth = (name: string, points: readonly Summary[]): string => {
  const ats = points.map(({ at }) => Math.log10(Math.max(1, at ?? 1)))
  const [low, high] = [Math.min(...ats), Math.max(...ats)]
  const top = Math.max(...points.map(({ most }) => most)) || 1
  const x = (index: number) => {
    const share = high === low ? 0.5 : ((ats[index] ?? low) - low) / (high - low)
    return (PLOT.left + share * (PLOT.width - PLOT.left - 40)).toFixed(1)
  }
  const y = (value: number) => (8 + (1 - value / top) * (PLOT.height - PLOT.bottom - 8)).toFixed(1)
  const labels = points.map(
    ({ at, median }, index) => `<text class="at" x="${x(index)}" y="${PLOT.height - 6}">${formatFigure(at ?? 0)}</text>
<circle cx="${x(index)}" cy="${y(median)}" r="3"><title>${formatFigure(median)}</title></circle>`,
  )
  return `<figure><figcaption>${escapeHtml(name)}, ${escapeHtml(points[0]?.unit ?? '')}</figcaption>
<svg width="${PLOT.width}" height="${PLOT.height}" role="img" aria-label="${escapeHtml(name)} as it grows">
<text x="4" y="14">${formatFigure(top)}</text><text x="4" y="${PLOT.height - PLOT.bottom}">0</text>
<polyline class="spread" points="${points.map(({ median }, index) => `${x(index)},${y(median)}`).join(' ')}"/>
${labels.join('\n')}</svg></figure>`
}

const STYLE = `body{font:14px system-ui;margin:2rem;max-width:70rem}td,th{padding:.2rem .8rem;text-align:left}
td.number{text-align:right;font-variant-numeric:tabular-nums}.missed{color:#b00020;font-weight:600}
.spread{stroke:#4a6cf7;stroke-width:2;fill:none}circle{fill:#4a6cf7}.asked{stroke:#b00020}text{font-size:11px}.at{text-anchor:middle}
figure{display:inline-block;width:26rem;margin:0 1rem 1rem 0}`

/**
 * The report as one page that needs no server: a table of what was asked and measured, and a plot of each figure that
 * grows.
 */
export const renderPage = (report: Report, last: Report | null): string => {
  const before = mediansOf(last)
  const rows = report.figures.map(figure => {
    const was = before.get(keyOf(figure))
    const change = was === undefined || was === 0 ? '' : `${(figure.median / was).toFixed(2)} ×`
    const spread = figure.rounds === 1 ? '' : `${formatFigure(figure.least)} to ${formatFigure(figure.most)}`
    const missed = figure.isKept === false ? ' class="missed"' : ''
    return `<tr${missed}><td>${escapeHtml(keyOf(figure))}</td><td class="number">${formatFigure(figure.median)}</td>
<td>${escapeHtml(figure.unit)}</td><td>${spread}</td><td>${describeAsked(figure)}</td><td>${change}</td>
<td>${drawSpread(figure)}</td></tr>`
  })
  const growing = Map.groupBy(
    report.figures.filter(({ at }) => at !== null),
    ({ name }) => name,
  )
  const plots = [...growing].filter(([, points]) => points.length > 1).map(([name, points]) => drawGrowth(name, points))
  const failed = report.failed.map(name => `<p class="missed">${escapeHtml(name)} failed, or missed its budget.</p>`)
  const compared = last === null ? 'no report before it' : `the report of ${last.startedAt}, commit ${last.commit}`
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Assay: what was measured</title>
<style>${STYLE}</style><h1>What was measured</h1>
<p>${report.kind}, commit ${escapeHtml(report.commit)}, ${report.startedAt}. ${escapeHtml(report.machine)}.
Compared with ${escapeHtml(compared)}.</p>
${failed.join('\n')}
<table><thead><tr><th>Figure</th><th>Median</th><th>Unit</th><th>Spread</th><th>Asked</th><th>To the last</th>
<th></th></tr></thead><tbody>
${rows.join('\n')}
</tbody></table>
${plots.join('\n')}
</html>
`
}

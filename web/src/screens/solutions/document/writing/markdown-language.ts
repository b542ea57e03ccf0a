import { markdown, markdownLanguage } from '@codemirror/lang-markdown'

/**
 * The editor's own reading of Markdown, for colours and for what Enter goes on with, takes a time that grows with the
 * square of how deep blocks are in each other, and of how long a paragraph is. What is beyond these bounds stands there
 * as plain text.
 */
const MAX_DEPTH = 16
const MAX_PARAGRAPH_CHARACTERS = 2000

/** Markdown for CodeMirror. */
export const boundedMarkdown = () =>
  markdown({
    base: markdownLanguage,
    completeHTMLTags: false,
    extensions: {
      // Looks at all of a paragraph anew with each line of a title that does not end.
      remove: ['LinkReference'],
      parseBlock: [
        {
          name: 'TooDeep',
          before: 'IndentedCode',
          parse: context => {
            if (context.depth <= MAX_DEPTH) return false
            context.nextLine()
            return true
          },
        },
      ],
      parseInline: [
        {
          name: 'TooLong',
          before: 'Escape',
          parse: ({ end, offset }) => (end - offset > MAX_PARAGRAPH_CHARACTERS ? end : -1),
        },
      ],
    },
  })

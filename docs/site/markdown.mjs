// One page of Markdown as HTML under a strict content security policy: no inline style, no script.
import MarkdownIt from 'markdown-it';
import hljs from 'highlight.js';
import { renderMermaidSVG } from 'beautiful-mermaid';

/** The anchor that GitHub gives a heading. */
const slugOf = (text) =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');

const textOf = (inline) =>
  inline.children
    .filter(({ type }) => ['text', 'code_inline', 'softbreak'].includes(type))
    .map(({ type, content }) => (type === 'softbreak' ? ' ' : content))
    .join('');

const markdown = new MarkdownIt({
  highlight: (code, language) =>
    hljs.getLanguage(language) ? hljs.highlight(code, { language }).value : '',
});
const fence = markdown.renderer.rules.fence;
markdown.renderer.rules.fence = (tokens, index, options, env, self) => {
  if (tokens[index].info !== 'mermaid') return fence(tokens, index, options, env, self);
  const svg = renderMermaidSVG(tokens[index].content, { fg: '#000', muted: '#333' }).replace(
    /@import.*/,
    '',
  );
  const picture = `<img src="${env.addDiagram(svg)}" alt="${env.title}, as a diagram">`;
  return `<p class="diagram">${picture}</p>\n`;
};
markdown.renderer.rules.table_open = () => '<div class="table"><table>\n';
markdown.renderer.rules.table_close = () => '</table></div>\n';

/** Gives each heading its anchor: what stands behind it as {#anchor}, or GitHub's. */
function setAnchors(tokens) {
  const seen = new Map();
  tokens.forEach((token, index) => {
    if (token.type !== 'heading_open') return;
    const inline = tokens[index + 1];
    const last = inline.children.at(-1);
    const given = / \{#(\S+)\}$/.exec(last?.content);
    if (given) last.content = last.content.slice(0, given.index);
    const slug = given?.[1] ?? slugOf(textOf(inline));
    const count = seen.get(slug) ?? 0;
    seen.set(slug, count + 1);
    token.attrSet('id', count === 0 ? slug : `${slug}-${count}`);
  });
}

/** Sections for the search: [{ id, heading, level, text }]. */
function sectionsOf(tokens) {
  const sections = [];
  tokens.forEach((token, index) => {
    if (token.type === 'heading_open') {
      const heading = textOf(tokens[index + 1]);
      const level = Number(token.tag.slice(1));
      sections.push({ id: token.attrGet('id'), heading, level, text: '' });
    } else if (token.type === 'fence') {
      if (sections.length > 0) sections.at(-1).text += ` ${token.content}`;
    } else if (token.type === 'inline' && tokens[index - 1].type !== 'heading_open') {
      if (sections.length > 0) sections.at(-1).text += ` ${textOf(token)}`;
    }
  });
  return sections;
}

/** Reads a page: { title, sections, render }, the last of which takes what links lead to. */
export function readPage(text) {
  const tokens = markdown.parse(text, {});
  setAnchors(tokens);
  const sections = sectionsOf(tokens);
  const title = sections[0].heading;

  /**
   * @param linkOf what a link's target becomes; undefined where nothing is there: the link becomes
   *   its text
   * @param addDiagram keeps a picture, and gives its address
   */
  function render({ linkOf, addDiagram }) {
    for (const { children } of tokens) {
      const closes = [];
      for (const token of children ?? []) {
        if (token.type === 'image') token.attrSet('src', linkOf(token.attrGet('src')));
        if (token.type === 'link_open') {
          const target = linkOf(token.attrGet('href'));
          closes.push(target === undefined);
          if (target === undefined) [token.tag, token.attrs] = ['span', null];
          else token.attrSet('href', target);
        }
        if (token.type === 'link_close' && closes.pop()) token.tag = 'span';
      }
    }
    return markdown.renderer.render(tokens, markdown.options, { title, addDiagram });
  }
  return { title, sections, render };
}

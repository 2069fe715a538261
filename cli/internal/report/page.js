// A notebook may contain several pages and run this for each: every page is
// prepared once, and no global name is defined.
(() => {
  const value = cell => cell.dataset.v ?? cell.textContent;
  const compare = (a, b) => {
    const x = Number(a), y = Number(b);
    return a.trim() && b.trim() && !isNaN(x) && !isNaN(y) ? x - y : a.localeCompare(b, "en", { numeric: true });
  };
  const sort = (table, column, header) => {
    // Numbers begin with the highest, text with the first; ranks are numbers that begin with the first.
    const text = header.classList.contains("id") || header.textContent === "rank";
    const now = header.getAttribute("aria-sort");
    const rising = now ? now === "descending" : text;
    for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
    header.setAttribute("aria-sort", rising ? "ascending" : "descending");
    const rows = [...table.tBodies[0].rows];
    rows.sort((a, b) => (rising ? 1 : -1) * compare(value(a.cells[column]), value(b.cells[column])));
    table.tBodies[0].append(...rows);
  };
  const tabbed = table => [...table.rows]
    .map(row => [...row.cells].filter(cell => !cell.classList.contains("bar")).map(value).join("\t")).join("\n") + "\n";
  const copy = async text => {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch { // no permission, as in many frames
      const area = document.createElement("textarea");
      area.value = text;
      document.body.append(area);
      area.select();
      const done = document.execCommand("copy");
      area.remove();
      return done;
    }
  };
  for (const page of document.querySelectorAll(".bcstage-report:not([data-ready])")) {
    page.dataset.ready = "";
    for (const table of page.querySelectorAll("table.sorts")) {
      [...table.tHead.rows[0].cells].forEach((header, column) => {
        if (header.classList.contains("bar")) return;
        const button = document.createElement("button");
        button.type = "button";
        button.textContent = header.textContent;
        button.onclick = () => sort(table, column, header);
        header.replaceChildren(button);
      });
      const button = table.closest("section").querySelector(".copy");
      button.hidden = false;
      button.title = "as text with tabs, in this order";
      button.onclick = async () => {
        button.textContent = await copy(tabbed(table)) ? "Copied" : "Not allowed here";
        setTimeout(() => button.textContent = "Copy", 1500);
      };
    }
  }
})();

"""The browser clients as servers serve them: `page` for players, `admin_page` for operators. Built from client/web."""

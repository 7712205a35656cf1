"""A search owns up: what other lists have of it is counted, with links."""
from views import becomes, ids, visit


def elsewhere(page):
    return page.locator(".elsewhere a").all_inner_texts()


def test_matches_of_other_statuses_are_counted_with_links(page, hub):
    videos = [video["video"] for video in hub.get("/videos?limit=50&search=the")["videos"]]
    assert len(videos) >= 4
    hub.mark(videos[0], status="watched")
    hub.mark(videos[1], status="watched")
    hub.mark(videos[2], status="skipped")
    visit(page, hub, "/?q=the")
    assert elsewhere(page)[:2] == ["2 watched", "1 skipped"]
    page.locator(".elsewhere a", has_text="2 watched").click()
    becomes("the watched ones", lambda: set(ids(page)) == set(videos[:2]))


def test_a_search_whose_matches_are_all_watched_says_so(page, hub):
    videos = [video["video"] for video in hub.get("/videos?limit=50&search=moon")["videos"]]
    for video in videos:
        hub.mark(video, status="watched")
    visit(page, hub, "/?q=moon")
    assert ids(page) == [] and page.locator(".end").inner_text() == "Nothing in this list matches."
    assert f"{len(videos)} watched" in elsewhere(page)
    visit(page, hub, "/?q=nothinglikethis")
    assert elsewhere(page) == [] and page.locator(".end").inner_text() == "Nothing matches."


def test_what_rules_and_filters_hide_of_a_search_is_counted(page, hub):
    hub.post("/rules", {"verdict": "block", "contains": "moon"})
    hidden = hub.get("/videos?limit=1&search=moon")["hidden"]["rules"]
    assert hidden > 0
    visit(page, hub, "/?q=moon")
    page.locator(".elsewhere a", has_text=f"{hidden} hidden by rules").click()
    becomes("they are shown", lambda: len(ids(page)) == hidden)


def test_everything_that_matches_is_what_the_links_add_up_to(page, hub):
    for status, videos in (("watched", hub.listed()[:30]), ("skipped", hub.listed()[30:40])):
        for video in videos:
            hub.mark(video, status=status)
    visit(page, hub, "/?q=the")
    counts = [int(text.split()[0]) for text in elsewhere(page)] + [int(page.locator(".summary").inner_text().split()[0])]
    visit(page, hub, "/?q=the&everything=true")
    assert int(page.locator(".summary").inner_text().split()[0]) == sum(counts)
    assert elsewhere(page) == []


def test_other_lists_count_nothing(page, hub):
    hub.mark(hub.listed()[0], status="watched")
    visit(page, hub, "/")
    assert elsewhere(page) == []
    visit(page, hub, "/?q=moon&status=all")
    assert elsewhere(page) == []
